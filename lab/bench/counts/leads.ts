// Leading post sources per account in a run, and the feeds that go stale when those sources fail.

import type { OutageKind } from './schedule.ts';

export interface Lead {
  /** Sources of account A (on X) and account B (on a Mastodon server), by priority. */
  a: string;
  b: string;
  /** Whether X pushes; random per process if absent. */
  isPushed?: boolean;
  outages: readonly OutageKind[];
}

function out(account: 'a' | 'b', ...faults: string[]): OutageKind {
  return { name: `posts of ${account.toUpperCase()}`, faults, stale: [`account_${account}/own`] };
}

/** The next source takes over: nothing may become stale or be counted twice. */
function handOver(...faults: string[]): OutageKind {
  return { name: `failover after ${faults.join(' and ')}`, faults, stale: [] };
}

const X_OUT = out('a', 'x-down', 'stream-down');
const MASTODON_OUT = out('b', 'mastodon-down');
/** Adds an archive for history beyond a feed's hundred items. */
const WITH_PAST = ',archive';

export const LEADS: Readonly<Record<string, Lead>> = {
  platform: { a: 'x', b: 'mastodon', outages: [X_OUT, MASTODON_OUT] },
  x: { a: 'x', b: 'oracle', isPushed: false, outages: [X_OUT] },
  push: { a: 'x', b: 'oracle', isPushed: true, outages: [X_OUT] },
  mastodon: { a: 'oracle', b: 'mastodon', outages: [MASTODON_OUT] },
  // Every run includes oracle outages.
  oracle: { a: 'oracle', b: 'oracle', outages: [] },
  twitterapi: { a: 'twitterapi', b: 'mastodon', outages: [out('a', 'twitterapi-down')] },
  rss: { a: 'x', b: 'rss', outages: [out('b', 'rss-down')] },
  archive: { a: `twitterapi${WITH_PAST}`, b: `rss${WITH_PAST}`, outages: [out('b', 'rss-down')] },
  mirror: {
    a: `twitterapi${WITH_PAST}`,
    b: `rss${WITH_PAST}`,
    outages: [out('a', 'twitterapi-down'), out('b', 'rss-down')],
  },
  all: {
    a: 'x,twitterapi,oracle',
    b: 'mastodon,rss,oracle',
    outages: [
      handOver('x-down', 'stream-down'),
      handOver('mastodon-down'),
      handOver('x-down', 'stream-down', 'twitterapi-down'),
      handOver('mastodon-down', 'rss-down'),
    ],
  },
};

export function leadEnv(lead: Lead, drawPush: () => boolean): Record<string, string> {
  return {
    ACCOUNT_A_POST_SOURCES: lead.a,
    ACCOUNT_B_POST_SOURCES: lead.b,
    X_PUSH: String(lead.isPushed ?? drawPush()),
  };
}
