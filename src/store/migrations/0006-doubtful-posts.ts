// Posts that may or may not count, and the source that first saw each post.

import type { Migration } from './migration.ts';

export const doubtfulPosts: Migration = {
  version: 6,
  name: 'doubtful posts',
  statements: ({ integer, text }) => [
    `alter table posts add column is_doubtful ${integer} not null default 0`,
    `alter table posts add column first_source ${text}`,
    // Few rows match, but every count reads them.
    'create index posts_doubtful on posts (account_id, created_ts) where is_doubtful = 1',
  ],
};
