// Captured posts.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccountId } from '../../domain/account.ts';
import type { CountingRule } from '../../domain/counting-rule.ts';
import type { CountWindow } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { Connection } from '../engine.ts';
import type { PostsTable } from '../schema.ts';
import { createPostWrites, POST_COLUMNS, VERSION } from './post-writes.ts';

export interface PostPage {
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
  limit: number;
  /** The last post of the previous page. */
  after: { createdTs: number; postId: string } | null;
}

export function createPostQueries(connection: Connection) {
  return {
    ...createPostWrites(connection),
    ...createPostCounts(connection),
    ...createPostLists(connection),
    ...createPostTimes(connection),
  };
}

function selectSince(db: Connection['db'], accountId: AccountId, fromTs: number) {
  return db.selectFrom('posts').where('account_id', '=', accountId).where('created_ts', '>=', fromTs);
}

/** Posts of a window: those that count, the doubtful ones, and the account's other replies to itself. */
export interface WindowCount {
  real: number;
  doubt: { counted: number; uncounted: number; ownThread?: number; otherThread?: number };
}

/** Windows given as a JSON list of pairs, as rows in the same order. */
const WINDOW_ROWS = {
  sqlite: (given: string) =>
    sql`select key, json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${given})`,
  postgres: (given: string) => sql`select place, (pair->>0)::bigint, (pair->>1)::bigint
    from jsonb_array_elements(${given}::jsonb) with ordinality as given(pair, place)`,
};

function createPostCounts({ db, engine }: Connection) {
  return {
    /** Counts by the given rule or the account's; one statement for all windows of an account. */
    async countWindows(accountId: AccountId, windows: readonly CountWindow[], rule?: CountingRule) {
      const given = JSON.stringify(windows.map(({ startTs, endTs }) => [startTs, endTs]));
      const sumOf = (condition: RawBuilder<unknown>) =>
        sql`cast(coalesce(sum(case when ${condition} then 1 else 0 end), 0) as integer)`;
      const isDoubtful = (isCounted: 0 | 1) => sql`is_doubtful = 1 and is_counted = ${sql.lit(isCounted)}`;
      const isInThread = (isCounted: 0 | 1) =>
        sql`is_self_reply = 1 and coalesce(is_doubtful, 0) = 0 and is_counted = ${sql.lit(isCounted)}`;
      const { rows } = await sql<Record<'real' | 'counted' | 'uncounted' | 'own' | 'other', number>>`
        with windows(place, start_ts, end_ts) as (${WINDOW_ROWS[engine.name](given)})
        select ${sumOf(rule ? toCondition(rule) : sql`is_counted = 1`)} as real,
          ${sumOf(isDoubtful(1))} as counted, ${sumOf(isDoubtful(0))} as uncounted,
          ${sumOf(isInThread(1))} as own, ${sumOf(isInThread(0))} as other
        from windows left join posts on account_id = ${accountId} and created_ts >= start_ts and created_ts < end_ts
        group by place order by place`.execute(db);
      return rows.map(({ real, counted, uncounted, own, other }): WindowCount => {
        const threads = { ...(own > 0 && { ownThread: own }), ...(other > 0 && { otherThread: other }) };
        return { real, doubt: { counted, uncounted, ...threads } };
      });
    },

    async count(accountId: AccountId) {
      const row = await db
        .selectFrom('posts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    /** The account's replies to itself, without doubtful ones, earliest first. */
    async listSelfReplies(accountId: AccountId, fromTs: number) {
      const rows = await selectSince(db, accountId, fromTs)
        .select(['post_id', 'created_ts', 'conversation', 'is_counted'])
        .where('is_self_reply', '=', 1)
        .where((eb) => eb(eb.fn.coalesce('is_doubtful', sql.lit(0)), '=', 0))
        .orderBy('created_ts')
        .execute();
      return rows.map((row) => ({
        postId: row.post_id,
        createdTs: row.created_ts,
        isOwnThread: row.conversation !== 'other',
        isCounted: row.is_counted === 1,
      }));
    },

    async countCounted(accountId: AccountId, fromTs: number, untilTs: number) {
      const row = await selectSince(db, accountId, fromTs)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('created_ts', '<', untilTs)
        .where('is_counted', '=', 1)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    /** Number of posts in the window that count under a contract's own rule. */
    async countByRule(accountId: AccountId, fromTs: number, untilTs: number, rule: CountingRule) {
      const row = await selectSince(db, accountId, fromTs)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('created_ts', '<', untilTs)
        .where(toCondition(rule))
        .executeTakeFirstOrThrow();
      return row.count;
    },
  };
}

/** Posts and their ids. */
function createPostLists({ db }: Connection) {
  return {
    async listDoubtful(accountId: AccountId, fromTs: number) {
      const rows = await selectSince(db, accountId, fromTs)
        .select(POST_COLUMNS)
        .where('is_doubtful', '=', 1)
        .orderBy('created_ts')
        .execute();
      return rows.map(fromRow);
    },

    /** Posts after `after`, oldest first by created_ts, then id. */
    async listPage(accountId: AccountId, { fromTs, untilTs, limit, after }: PostPage) {
      let query = selectSince(db, accountId, after?.createdTs ?? fromTs)
        .select(POST_COLUMNS)
        .where('created_ts', '<', untilTs);
      if (after !== null) {
        query = query.where((eb) =>
          eb.or([eb('created_ts', '>', after.createdTs), eb('post_id', '>', after.postId)]),
        );
      }
      const rows = await query.orderBy('created_ts').orderBy('post_id').limit(limit).execute();
      return rows.map(fromRow);
    },

    /** Newest first by created_ts, then id. */
    async listRecent(accountId: AccountId, limit: number, offset: number) {
      const rows = await db
        .selectFrom('posts')
        .select(POST_COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('created_ts', 'desc')
        .orderBy('post_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(fromRow);
    },

    /** Ids of posts created at or after fromTs that are not deleted, for the deletion check. */
    async listStandingIds(accountId: AccountId, fromTs: number) {
      const rows = await selectSince(db, accountId, fromTs)
        .select('post_id')
        .where('deleted_ts', 'is', null)
        .orderBy('created_ts')
        .orderBy('post_id')
        .execute();
      return rows.map((row) => row.post_id);
    },

    /** Ids of all posts created at or after fromTs, including deleted ones. */
    async listKnownIds(accountId: AccountId, fromTs: number) {
      const rows = await selectSince(db, accountId, fromTs).select(['post_id', 'root_post_id']).execute();
      return [...new Set(rows.flatMap((row) => [row.post_id, row.root_post_id]))];
    },
  };
}

function createPostTimes({ db }: Connection) {
  return {
    /** Counted posts created at or after fromTs, with the time their deletion was first seen, oldest first. */
    async listDeletionTimes(accountId: AccountId, fromTs: number) {
      const rows = await selectSince(db, accountId, fromTs)
        .select(['created_ts', 'deleted_ts'])
        .where('is_counted', '=', 1)
        .orderBy('created_ts')
        .execute();
      return rows.map(({ created_ts, deleted_ts }) => ({ createdTs: created_ts, deletedTs: deleted_ts }));
    },

    /**
     * Ascending times of all posts created at or after fromTs, and whether each counts by the given rule or the
     * account's. Returned as columns, because there are tens of thousands.
     * The query reads them as one text, because building that many row objects takes longer than the query.
     */
    async listTimes(accountId: AccountId, fromTs: number, rule?: CountingRule) {
      const isCounted = rule ? sql`case when ${toCondition(rule)} then 1 else 0 end` : sql.ref('is_counted');
      const row = await selectSince(db, accountId, fromTs)
        .select((eb) => [
          sql<string | null>`string_agg(cast(created_ts * 2 + ${isCounted} as text), ',')`.as('times'),
          eb.fn.countAll<number>().as('count'),
        ])
        .executeTakeFirstOrThrow();
      return unpackTimes(row.times ?? '', row.count);
    },

    /**
     * Delays between creation and capture of the newest live captures, in milliseconds. Only posts created
     * after watching began, because backfilled posts say nothing about delay.
     */
    async listCaptureDelays(accountId: AccountId, limit: number) {
      const rows = await db
        .selectFrom('posts')
        .select((eb) => eb('first_seen_ts', '-', eb.ref('created_ts')).as('delay_ms'))
        .where('account_id', '=', accountId)
        .whereRef('first_seen_ts', '>', 'created_ts')
        .where('created_ts', '>=', (eb) =>
          eb
            .selectFrom('posts as first')
            .select('first.first_seen_ts')
            .where('first.account_id', '=', accountId)
            .whereRef('first.first_seen_ts', '>', 'first.created_ts')
            .orderBy('first.first_seen_ts')
            .limit(1),
        )
        .orderBy('created_ts', 'desc')
        .orderBy('post_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => Number(row.delay_ms));
    },
  };
}

/** The rule as an SQL condition on the stored flags, equivalent to `isCountedUnder`. */
function toCondition(rule: CountingRule): RawBuilder<SqlBool> {
  const flag = (isOn: boolean) => sql.lit(isOn ? 1 : 0);
  const root =
    rule.selfReplyRoots === 'any' || rule.replies
      ? sql`1 = 1`
      : sql`coalesce(conversation, 'own') <> 'other'`;
  return sql<SqlBool>`not (is_doubtful <> 0 and is_counted = 0)
    and (${flag(rule.deletedPosts)} = 1 or deleted_ts is null)
    and (is_community = 0 or ${flag(rule.communityPosts)} = 1)
    and case
      when is_reply = 1 and is_self_reply = 1 then ${flag(rule.selfReplies)} = 1 and ${root}
      when is_reply = 1 then ${flag(rule.replies)} = 1
      when is_retweet = 1 then ${flag(rule.reposts)} = 1
      when is_quote = 1 then ${flag(rule.quotes)} = 1
      else ${flag(rule.originals)} = 1
    end`;
}

const COMMA = 44;
const DIGIT_ZERO = 48;

/**
 * Parses digit by digit, because splitting would allocate a string per number. Sorts here, because an
 * aggregate guarantees no order.
 */
function unpackTimes(text: string, length: number): { createdTs: Float64Array; isCounted: Uint8Array } {
  const packed = new Float64Array(length);
  let index = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COMMA) index += 1;
    else packed[index] = packed[index]! * 10 + (code - DIGIT_ZERO);
  }
  packed.sort();
  const createdTs = new Float64Array(length);
  const isCounted = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    createdTs[i] = Math.floor(packed[i]! / 2);
    isCounted[i] = packed[i]! % 2;
  }
  return { createdTs, isCounted };
}

function fromRow(row: PostsTable): CapturedPost {
  const post: CapturedPost = {
    accountId: row.account_id,
    postId: row.post_id,
    rootPostId: row.root_post_id,
    createdTs: row.created_ts,
    firstSeenTs: row.first_seen_ts,
    deletedTs: row.deleted_ts,
    isCounted: row.is_counted === 1,
    isReply: row.is_reply === 1,
    isQuote: row.is_quote === 1,
    isRetweet: row.is_retweet === 1,
    isSelfReply: row.is_self_reply === 1,
    isCommunity: row.is_community === 1,
    text: row.text,
  };
  // Spreading parts into the object would take most of the time of reading a window.
  if (row.is_doubtful === 1) post.isDoubtful = true;
  if (row.is_doubtful === VERSION) post.isVersion = true;
  if (row.first_source !== null) post.firstSource = row.first_source;
  if (row.conversation !== null) post.conversation = row.conversation as 'own' | 'other';
  return post;
}
