// Leading post sources for account A (on X) and account B (on a Mastodon server).

export const LEADS = {
  platform: {},
  mirror: { ACCOUNT_A_POST_SOURCES: 'oracle', ACCOUNT_B_POST_SOURCES: 'rss,oracle' },
  all: { ACCOUNT_A_POST_SOURCES: 'x,oracle', ACCOUNT_B_POST_SOURCES: 'mastodon,rss,oracle' },
} as const;

export type LeadName = keyof typeof LEADS;
