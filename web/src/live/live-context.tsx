// Provides the service's accounts and their live state to every component.

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { getAccess, subscribeAccess } from '../api/access.ts';
import type { PageConfig } from '../api/records.ts';
import { fetchConfig, ServiceError } from '../api/request.ts';
import { type AccountFeed, openAccountFeed } from './account-feed.ts';
import { type AccountView, silentSince } from './view-store.ts';

interface Live {
  config: PageConfig | null;
  feeds: readonly AccountFeed[];
  /** Why the account list could not be loaded; null once loaded. */
  problem: string | null;
}

const LiveContext = createContext<Live>({ config: null, feeds: [], problem: null });

const DEFAULT_CONFIG: PageConfig = {
  accounts: [
    { segment: 'account_a', label: 'Account A' },
    { segment: 'account_b', label: 'Account B' },
  ],
};

const RETRY_MS = 5_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const { config, problem } = useConfig();
  const key = useAccess().key;
  const [feeds, setFeeds] = useState<readonly AccountFeed[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key means a new view, so the streams reopen.
  useEffect(() => {
    if (!config) return;
    const opened = config.accounts.map(({ segment }) => openAccountFeed(segment, config.speed));
    setFeeds(opened);
    return () => {
      for (const feed of opened) feed.close();
    };
  }, [config, key]);
  return <LiveContext value={{ config, feeds, problem }}>{children}</LiveContext>;
}

function useConfig(): { config: PageConfig | null; problem: string | null } {
  const [config, setConfig] = useState<PageConfig | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    async function load(): Promise<void> {
      try {
        const answer = await fetchConfig();
        if (!isOver) setConfig(answer);
      } catch (error) {
        if (isOver) return;
        // Services without this file use the default segments.
        if (error instanceof ServiceError && error.status === 404) return setConfig(DEFAULT_CONFIG);
        setProblem('The service cannot be reached.');
        timer = setTimeout(() => void load(), RETRY_MS);
      }
    }
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return { config, problem: config ? null : problem };
}

export function useLive(): Live {
  return useContext(LiveContext);
}

export function useAccess() {
  return useSyncExternalStore(subscribeAccess, getAccess);
}

const subscribeToNothing = () => () => {};

export function useAccountView(feed: AccountFeed | undefined): AccountView | undefined {
  return useSyncExternalStore(feed?.subscribe ?? subscribeToNothing, () => feed?.get());
}

/** Derives a value from all accounts and updates it when any of them changes. */
export function useAllFeeds<T extends string>(read: (views: readonly AccountView[]) => T): T {
  const { feeds } = useLive();
  return useSyncExternalStore(
    (listener) => {
      const leaves = feeds.map((feed) => feed.subscribe(listener));
      return () => {
        for (const leave of leaves) leave();
      };
    },
    () => read(feeds.map((feed) => feed.get())),
  );
}

/** Start of the longest silence of any account; null while all are current. */
export function useSilence(): number | null {
  const since = useAllFeeds(longestSilence);
  return since === '' ? null : Number(since);
}

function longestSilence(views: readonly AccountView[]): string {
  const since = views.flatMap(({ line }) => silentSince(line) ?? []);
  return since.length === 0 ? '' : String(Math.min(...since));
}

export function useLabel(segment: string): string {
  return useLabels()(segment);
}

export function useLabels(): (segment: string) => string {
  const { config } = useLive();
  return (segment) => config?.accounts.find((account) => account.segment === segment)?.label ?? segment;
}
