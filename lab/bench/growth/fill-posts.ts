// Inserts past posts directly into the table: a few hundred thousand take a second, while capturing them
// would take hours.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../src/domain/units.ts';
import { SQLITE_FILE_NAME } from '../../../src/store/open-store.ts';
import { youngAnchorTs } from '../../../test/support/boot.ts';

export interface Past {
  accountId: string;
  posts: number;
  /** Timestamp of the newest post. */
  untilTs: number;
  perDay: number;
  /** Number of newer posts the account has. */
  newer?: number;
}

/** Start of the simulator's history: to the model a gap of weeks before it would look like silence. */
export function bornTs(): number {
  return youngAnchorTs(2);
}

/**
 * The store must have been opened once. Adds to existing rows; inserting the same history twice has no
 * effect.
 */
export function fillPosts(dataDir: string, pasts: readonly Past[]): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE_NAME));
  // No other process has the file open, and lost data is refilled, so no journal is needed.
  database.exec('pragma synchronous = off; pragma journal_mode = off; pragma cache_size = -200000; begin');
  const insert = database.prepare(INSERT);
  for (const { accountId, posts, untilTs, perDay, newer = 0 } of pasts) {
    const newestId = 1_000_000_000 - newer;
    insert.run({ accountId, posts, untilTs, newestId, gapMs: Math.max(1, Math.round(DAY_MS / perDay)) });
  }
  database.exec('commit; pragma journal_mode = wal');
  database.close();
}

/** Ids count back from the newest; rows are inserted oldest first, at irregular intervals. */
const INSERT = `with recursive back(n) as (
    select :posts - 1 union all select n - 1 from back where n > 0
  )
  insert or ignore into posts (account_id, post_id, root_post_id, created_ts, first_seen_ts, deleted_ts, is_counted,
    is_reply, is_quote, is_retweet, is_self_reply, is_community, text)
  select :accountId, cast(:newestId - n as text), cast(:newestId - n as text), :untilTs - n * :gapMs - (n * 2654435761) % :gapMs,
    :untilTs - n * :gapMs + 500, null, n % 3 <> 0, n % 3 = 0, 0, 0, 0, 0, 'A post like any other, long enough to be one.'
  from back`;
