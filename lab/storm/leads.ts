// Sources of the posts of account A (on X) and account B (on a Mastodon server), best first.

export const LEADS = {
  /** The platform, then the oracle. */
  platform: {},
  /** A mirror between them. */
  all: { ACCOUNT_A_POST_SOURCES: 'x,twitterapi,oracle', ACCOUNT_B_POST_SOURCES: 'mastodon,rss,oracle' },
} as const;

export type LeadName = keyof typeof LEADS;
