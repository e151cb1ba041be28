// Which sources lead the posts of both accounts in a run, and what is dark when theirs is out.

import type { OutageKind } from './schedule.ts';

export interface Lead {
  env: Record<string, string>;
  outages: readonly OutageKind[];
}

export const LEADS: Readonly<Record<string, Lead>> = {
  platform: {
    env: { ACCOUNT_A_POST_SOURCES: 'x', ACCOUNT_B_POST_SOURCES: 'mastodon' },
    outages: [
      { name: 'posts of A', faults: ['x-down', 'stream-down'], dark: ['account_a/own'] },
      { name: 'posts of B', faults: ['mastodon-down'], dark: ['account_b/own'] },
    ],
  },
  oracle: {
    env: { ACCOUNT_A_POST_SOURCES: 'oracle', ACCOUNT_B_POST_SOURCES: 'oracle' },
    outages: [],
  },
  mirror: {
    env: { ACCOUNT_A_POST_SOURCES: 'twitterapi,archive', ACCOUNT_B_POST_SOURCES: 'rss,archive' },
    outages: [
      { name: 'posts of A', faults: ['twitterapi-down'], dark: ['account_a/own'] },
      { name: 'posts of B', faults: ['rss-down'], dark: ['account_b/own'] },
    ],
  },
  all: {
    env: { ACCOUNT_A_POST_SOURCES: 'x,twitterapi,oracle', ACCOUNT_B_POST_SOURCES: 'mastodon,rss,oracle' },
    outages: [],
  },
};
