// Provides the service's accounts and their live state to every component.

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { getAccess, subscribeAccess } from '../api/access.ts';
import { describeTerms, type PageConfig } from '../api/records.ts';
import { fetchConfig } from '../api/request.ts';
import { type AccountFeed, openAccountFeed } from './account-feed.ts';
import { toServerTs } from './account-state.ts';
import { type AccountView, silentSince } from './view-store.ts';

interface Live {
  config: PageConfig | null;
  feeds: readonly AccountFeed[];
  /** Why the account list could not be loaded; null once loaded. */
  problem: string | null;
}

const LiveContext = createContext<Live>({ config: null, feeds: [], problem: null });

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
      } catch {
        if (isOver) return;
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

/** Reads the time on the service's clock; this machine's until the account's first message. */
export function useServerNow(account: string | undefined): () => number {
  const { feeds } = useLive();
  const view = useAccountView(feeds.find((feed) => feed.get().state.account === account) ?? feeds[0]);
  return () => (view ? toServerTs(view.state.clock, Date.now()) : Date.now());
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

/** Describes an event's terms; empty while all open events have the same ones. */
export function useTerms(): typeof describeTerms {
  const kinds = useAllFeeds((views) => [...new Set(views.flatMap(listTerms))].sort().join('|'));
  return kinds.includes('|') ? describeTerms : () => '';
}

function listTerms({ state }: AccountView): string[] {
  return state.meta.map(describeTerms);
}

/** Whether the visitor runs this service: on its own machine, or with its operator key. */
export function useIsHost(): boolean {
  return useAccess().tier === 'INTERNAL' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
}

/** Accounts without a connection; null while all have one. */
export interface Outage {
  accounts: readonly string[];
  isWhole: boolean;
  reason: string;
  /** null if nothing was received yet. */
  sinceTs: number | null;
  retryTs: number;
}

export function useOutage(): Outage | null {
  const text = useAllFeeds(describeOutage);
  return text === '' ? null : (JSON.parse(text) as Outage);
}

function describeOutage(views: readonly AccountView[]): string {
  const down = views.flatMap(({ state, line }) => (line.kind === 'down' ? [{ ...line, state }] : []));
  const [first] = down;
  if (!first) return '';
  const known = down.filter(({ state }) => state.heardTs !== null);
  return JSON.stringify({
    accounts: down.map(({ state }) => state.account),
    isWhole: down.length === views.length,
    reason: first.reason,
    sinceTs: known.length > 0 ? Math.min(...known.map(({ sinceTs }) => sinceTs)) : null,
    retryTs: Math.min(...down.map(({ retryTs }) => retryTs)),
  } satisfies Outage);
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
