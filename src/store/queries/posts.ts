// Posts as captured. Two unique keys make a post id, and a chain of edits, count once.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccountId } from '../../domain/account.ts';
import type { CountingRule } from '../../domain/counting-rule.ts';
import type { CapturedPost, PostDeletion } from '../../domain/post.ts';
import type { Connection } from '../engine.ts';
import type { PostStore } from '../ports.ts';
import type { PostsTable } from '../schema.ts';
import { toFlag } from '../schema.ts';
import { batchesOf } from './batches.ts';

/** Named, so that the server can cache the plan of the most frequent query. */
const COLUMNS = [
  'account_id',
  'post_id',
  'root_post_id',
  'created_ts',
  'first_seen_ts',
  'deleted_ts',
  'is_counted',
  'is_reply',
  'is_quote',
  'is_retweet',
  'is_self_reply',
  'is_community',
  'text',
  'is_doubtful',
  'first_source',
  'conversation',
] as const satisfies readonly (keyof PostsTable)[];

/** Uncounted in spite of its kind: it may be another version of a counted post. */
const isPossibleEdit = sql<boolean>`(is_counted = 0 and (is_reply = 0
  or (is_self_reply = 1 and coalesce(conversation, 'own') <> 'other')))`;

export function createPostQueries({ db, engine }: Connection): PostStore {
  async function insertNew(captures: readonly CapturedPost[]): Promise<CapturedPost[]> {
    const others = await dropKnownChains(captures);
    if (others.length === 0) return [];
    const inserted = await engine.insertPosts(db, others.map(toRow));
    const isNew = new Set(inserted.map((row) => `${row.account_id} ${row.post_id}`));
    // delete() returns true once, so a capture repeated within one batch is returned once.
    return others.filter((capture) => isNew.delete(`${capture.accountId} ${capture.postId}`));
  }

  /** A source without edit data may have stored a later version as a separate post: that row represents the chain. */
  async function dropKnownChains(captures: readonly CapturedPost[]): Promise<CapturedPost[]> {
    const kept: CapturedPost[] = [];
    for (const capture of captures) if (!(await findVersionOf(capture, 'any'))) kept.push(capture);
    return kept;
  }

  async function markDeleted(deletion: PostDeletion, blankText: boolean): Promise<boolean> {
    const marked = await db
      .updateTable('posts')
      .set({ deleted_ts: deletion.deletedTs, ...(blankText ? { text: null } : {}) })
      .where('account_id', '=', deletion.accountId)
      .where('post_id', '=', deletion.postId)
      .where('deleted_ts', 'is', null)
      .executeTakeFirst();
    return marked.numUpdatedRows > 0n;
  }

  /** Whether another row, or a counted one, represents the post's chain of edits. */
  async function findVersionOf(post: CapturedPost, which: 'any' | 'counted'): Promise<boolean> {
    const versionIds = (post.versionIds ?? []).filter((id) => id !== post.postId);
    if (which === 'any' && versionIds.length === 0) return false;
    const row = await db
      .selectFrom('posts')
      .select('post_id')
      .where('account_id', '=', post.accountId)
      .where('post_id', '!=', post.postId)
      .where((eb) =>
        eb.or([
          eb('root_post_id', '=', post.rootPostId),
          ...(versionIds.length > 0 ? [eb('post_id', 'in', versionIds)] : []),
        ]),
      )
      .$if(which === 'counted', (query) => query.where('is_counted', '=', 1))
      .executeTakeFirst();
    return row !== undefined;
  }

  async function settleDoubt(post: CapturedPost, mayHideEdits: boolean): Promise<boolean> {
    const { is_reply, is_quote, is_retweet, is_self_reply, is_community, conversation } = toRow(post);
    const is_counted = toFlag(post.isCounted && !(await findVersionOf(post, 'counted')));
    const settled = await db
      .updateTable('posts')
      .set({
        is_counted,
        is_reply,
        is_quote,
        is_retweet,
        is_self_reply,
        is_community,
        conversation,
        is_doubtful: 0,
      })
      .where('account_id', '=', post.accountId)
      .where('post_id', '=', post.postId)
      .where('is_doubtful', '=', 1)
      .$if(mayHideEdits && !post.versionIds, (query) => query.where(({ not }) => not(isPossibleEdit)))
      .executeTakeFirst();
    return settled.numUpdatedRows > 0n;
  }

  function selectTimes(accountId: AccountId, fromTs: number) {
    return db.selectFrom('posts').where('account_id', '=', accountId).where('created_ts', '>=', fromTs);
  }

  return {
    async recordCaptures(captures) {
      const recorded: CapturedPost[] = [];
      for (const batch of batchesOf(captures, COLUMNS.length)) recorded.push(...(await insertNew(batch)));
      return recorded;
    },

    async recordDeletions(deletions, blankText) {
      const marked: PostDeletion[] = [];
      for (const deletion of deletions) if (await markDeleted(deletion, blankText)) marked.push(deletion);
      return marked;
    },

    async settleDoubts(posts, mayHideEdits = false) {
      const settled: CapturedPost[] = [];
      for (const post of posts) if (await settleDoubt(post, mayHideEdits)) settled.push(post);
      return settled;
    },

    async countDoubtful(accountId, fromTs, untilTs) {
      const row = await selectTimes(accountId, fromTs)
        .select((eb) => [
          eb.fn.countAll<number>().as('all'),
          sql<number>`cast(coalesce(sum(is_counted), 0) as integer)`.as('counted'),
        ])
        .where('created_ts', '<', untilTs)
        .where('is_doubtful', '=', 1)
        .executeTakeFirstOrThrow();
      return { counted: Number(row.counted), uncounted: Number(row.all) - Number(row.counted) };
    },

    async listDoubtfulIds(accountId, fromTs) {
      const rows = await selectTimes(accountId, fromTs)
        .select('post_id')
        .where('is_doubtful', '=', 1)
        .orderBy('created_ts')
        .execute();
      return rows.map((row) => row.post_id);
    },

    async listPage(accountId, { fromTs, untilTs, limit, after }) {
      let query = selectTimes(accountId, after?.createdTs ?? fromTs)
        .select(COLUMNS)
        .where('created_ts', '<', untilTs);
      if (after !== null) {
        query = query.where((eb) =>
          eb.or([eb('created_ts', '>', after.createdTs), eb('post_id', '>', after.postId)]),
        );
      }
      const rows = await query.orderBy('created_ts').orderBy('post_id').limit(limit).execute();
      return rows.map(fromRow);
    },

    async listRecent(accountId, limit, offset) {
      const rows = await db
        .selectFrom('posts')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('created_ts', 'desc')
        .orderBy('post_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(fromRow);
    },

    async count(accountId) {
      const row = await db
        .selectFrom('posts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    async countCounted(accountId, fromTs, untilTs) {
      const row = await selectTimes(accountId, fromTs)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('created_ts', '<', untilTs)
        .where('is_counted', '=', 1)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    async countByRule(accountId, fromTs, untilTs, rule) {
      const row = await selectTimes(accountId, fromTs)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('created_ts', '<', untilTs)
        .where(toCondition(rule))
        .executeTakeFirstOrThrow();
      return row.count;
    },

    async listDeletionTimes(accountId, fromTs) {
      const rows = await selectTimes(accountId, fromTs)
        .select(['created_ts', 'deleted_ts'])
        .where('is_counted', '=', 1)
        .orderBy('created_ts')
        .execute();
      return rows.map(({ created_ts, deleted_ts }) => ({ createdTs: created_ts, deletedTs: deleted_ts }));
    },

    // One text of all times, because building tens of thousands of row objects takes longer than the query.
    async listTimes(accountId, fromTs, rule) {
      const isCounted = rule ? sql`case when ${toCondition(rule)} then 1 else 0 end` : sql.ref('is_counted');
      const row = await selectTimes(accountId, fromTs)
        .select((eb) => [
          sql<string | null>`string_agg(cast(created_ts * 2 + ${isCounted} as text), ',')`.as('times'),
          eb.fn.countAll<number>().as('count'),
        ])
        .executeTakeFirstOrThrow();
      return unpackTimes(row.times ?? '', row.count);
    },

    async listStandingIds(accountId, fromTs) {
      const rows = await selectTimes(accountId, fromTs)
        .select('post_id')
        .where('deleted_ts', 'is', null)
        .orderBy('created_ts')
        .orderBy('post_id')
        .execute();
      return rows.map((row) => row.post_id);
    },

    async listKnownIds(accountId, fromTs) {
      const rows = await selectTimes(accountId, fromTs).select(['post_id', 'root_post_id']).execute();
      return [...new Set(rows.flatMap((row) => [row.post_id, row.root_post_id]))];
    },

    // Only posts created after watching began; backfilled ones say nothing about delay.
    async listCaptureDelays(accountId, limit) {
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

/** The rule as an SQL condition over the stored flags, equivalent to `isCountedUnder`. */
function toCondition(rule: CountingRule): RawBuilder<SqlBool> {
  const flag = (isOn: boolean) => sql.lit(isOn ? 1 : 0);
  const root =
    rule.selfReplyRoots === 'any' || rule.replies
      ? sql`1 = 1`
      : sql`coalesce(conversation, 'own') <> 'other'`;
  return sql<SqlBool>`not (is_doubtful = 1 and is_counted = 0)
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
 * Digit by digit, because splitting would allocate a string per number. Sorted here, because an aggregate
 * guarantees no order.
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

function toRow(post: CapturedPost): PostsTable {
  return {
    account_id: post.accountId,
    post_id: post.postId,
    root_post_id: post.rootPostId,
    created_ts: post.createdTs,
    first_seen_ts: post.firstSeenTs,
    deleted_ts: post.deletedTs,
    is_counted: toFlag(post.isCounted),
    is_reply: toFlag(post.isReply),
    is_quote: toFlag(post.isQuote),
    is_retweet: toFlag(post.isRetweet),
    is_self_reply: toFlag(post.isSelfReply),
    is_community: toFlag(post.isCommunity),
    text: post.text,
    is_doubtful: toFlag(post.isDoubtful ?? false),
    first_source: post.firstSource ?? null,
    conversation: post.conversation ?? null,
  };
}

function fromRow(row: PostsTable): CapturedPost {
  return {
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
    ...(row.is_doubtful === 1 ? { isDoubtful: true } : {}),
    ...(row.first_source === null ? {} : { firstSource: row.first_source }),
    ...(row.conversation === null ? {} : { conversation: row.conversation as 'own' | 'other' }),
  };
}
