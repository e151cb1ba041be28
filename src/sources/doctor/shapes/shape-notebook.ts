// Records the shape of every network response, per account, while the doctor runs its checks.

import type { Network } from '../../recording/record-network.ts';
import type { AccountSources } from '../../source.ts';
import { tryParseJson } from '../../wire-reader.ts';
import { MARKET_FEEDS, SHARED_FEEDS } from './market-shapes.ts';
import { POST_FEEDS } from './post-shapes.ts';
import type { ShapeFeed } from './shape-feed.ts';

export interface SeenShapes {
  /** Path segment of the account; null if shared by all accounts. */
  account: string | null;
  feed: string;
  /** Number of elements per known shape. */
  seen: Record<string, number>;
  notSeen: string[];
  /** Number of elements per unknown shape. */
  unknown: Record<string, number>;
}

export interface ShapeNotebook {
  network: Network;
  /** Attributes all later responses to this account. */
  turnTo(account: string | null): void;
  list(accounts: readonly AccountSources[]): SeenShapes[];
}

const FEEDS = [...POST_FEEDS, ...MARKET_FEEDS, ...SHARED_FEEDS];
/** Limits the name of a new shape, which is external input. */
const MAX_NAME_LENGTH = 60;

export function createShapeNotebook(network: Network): ShapeNotebook {
  const counts = new Map<string, Map<string, number>>();
  let current: string | null = null;

  function note(feed: ShapeFeed, account: string | null, text: string): void {
    const answer = tryParseJson(text);
    if (answer === undefined) return;
    const key = keyOf(account, feed);
    const found = counts.get(key) ?? new Map<string, number>();
    counts.set(key, found);
    for (const name of feed.classify(answer).map((one) => one.slice(0, MAX_NAME_LENGTH)))
      found.set(name, (found.get(name) ?? 0) + 1);
  }

  return {
    network: {
      async fetch(url, init) {
        const account = current;
        const response = await network.fetch(url, init);
        const feed = findFeed(url);
        if (feed && response.ok) note(feed, account, await response.clone().text());
        return response;
      },
      createSocket(url, headers) {
        const account = current;
        const socket = network.createSocket(url, headers);
        const feed = findFeed(url);
        socket.addEventListener('message', (event) => {
          const { data } = event as { data?: unknown };
          if (feed && typeof data === 'string') note(feed, account, data);
        });
        return socket;
      },
    },
    turnTo(account) {
      current = account;
    },
    list: (accounts) => [
      ...accounts.flatMap(({ account, posts }) =>
        [...POST_FEEDS, ...MARKET_FEEDS]
          .filter(({ kind }) => kind === undefined || posts.some((source) => source.kind === kind))
          .map((feed) => describe(feed, account.segment, counts)),
      ),
      ...SHARED_FEEDS.map((feed) => describe(feed, null, counts)),
    ],
  };
}

function findFeed(url: string): ShapeFeed | undefined {
  const path = new URL(url).pathname.replace(/\/+$/, '');
  return FEEDS.find((feed) => feed.path.test(path));
}

function keyOf(account: string | null, { name }: ShapeFeed): string {
  return `${account ?? ''} ${name}`;
}

function describe(
  feed: ShapeFeed,
  account: string | null,
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>,
): SeenShapes {
  const found = counts.get(keyOf(account, feed)) ?? new Map<string, number>();
  const pick = (isKnown: boolean) =>
    Object.fromEntries([...found].filter(([name]) => feed.shapes.includes(name) === isKnown));
  return {
    account,
    feed: feed.name,
    seen: pick(true),
    notSeen: feed.shapes.filter((name) => !found.has(name)),
    unknown: pick(false),
  };
}
