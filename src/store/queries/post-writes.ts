// Writes captured posts. Two unique keys ensure that each post id and each chain of edits counts only once.

import { sql } from 'kysely';
import type { CapturedPost, PostDeletion } from '../../domain/post.ts';
import type { Connection } from '../engine.ts';
import { toFlag } from '../record-table.ts';
import type { PostsTable } from '../schema.ts';
import { batchesOf } from './many-rows.ts';

/** Listed by name, so that the server can cache the most frequent query's plan. */
export const POST_COLUMNS = [
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

/** The value of `is_doubtful` for a version of an edited post that another row represents. */
export const VERSION = 2;

/** Does not count although its kind does, so it may be another version of a counted post. */
const isPossibleEdit = sql<boolean>`(is_counted = 0 and (is_reply = 0
  or (is_self_reply = 1 and coalesce(conversation, 'own') <> 'other')))`;

export function createPostWrites({ db, engine }: Connection) {
  async function insertNew(captures: readonly CapturedPost[]): Promise<CapturedPost[]> {
    const others = await dropKnownChains(captures);
    if (others.length === 0) return [];
    const inserted = await engine.insertPosts(db, others.map(toRow));
    const isNew = new Set(inserted.map((row) => `${row.account_id} ${row.post_id}`));
    // delete() returns true only once, so a capture repeated within one batch is returned once.
    return others.filter((capture) => isNew.delete(`${capture.accountId} ${capture.postId}`));
  }

  /** If a source without edit data stored another version as its own post, that row represents the chain. */
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

  /**
   * Whether another row has a version of the post; 'counted' asks for a counted row, and 'settled' also accepts
   * one that is certain not to count, so that of two versions of a reply one stays countable under other rules.
   */
  async function findVersionOf(post: CapturedPost, which: 'any' | 'counted' | 'settled'): Promise<boolean> {
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
      .$if(which === 'settled', (query) =>
        query.where((eb) => eb.or([eb('is_counted', '=', 1), eb('is_doubtful', '=', 0)])),
      )
      .executeTakeFirst();
    return row !== undefined;
  }

  async function settleDoubt(post: CapturedPost, mayHideEdits: boolean): Promise<boolean> {
    const { is_reply, is_quote, is_retweet, is_self_reply, is_community, conversation } = toRow(post);
    const isCounted = post.isCounted && !(await findVersionOf(post, 'counted'));
    const isVersion = !isCounted && (await findVersionOf(post, 'settled'));
    const settled = await db
      .updateTable('posts')
      .set({
        is_counted: toFlag(isCounted),
        is_reply,
        is_quote,
        is_retweet,
        is_self_reply,
        is_community,
        conversation,
        is_doubtful: isVersion ? VERSION : toFlag(post.isDoubtful ?? false),
      })
      .where('account_id', '=', post.accountId)
      .where('post_id', '=', post.postId)
      .where('is_doubtful', '=', 1)
      .$if(mayHideEdits && !post.versionIds, (query) => query.where(({ not }) => not(isPossibleEdit)))
      .executeTakeFirst();
    return settled.numUpdatedRows > 0n;
  }

  return {
    /** Inserts new posts and returns them; ignores known post ids and edits of a known root. */
    async recordCaptures(captures: readonly CapturedPost[]) {
      const recorded: CapturedPost[] = [];
      for (const batch of batchesOf(captures, POST_COLUMNS.length))
        recorded.push(...(await insertNew(batch)));
      return recorded;
    },

    /** Marks deleted posts; returns those newly marked. blankText also erases their text. */
    async recordDeletions(deletions: readonly PostDeletion[], blankText: boolean) {
      const marked: PostDeletion[] = [];
      for (const deletion of deletions) if (await markDeleted(deletion, blankText)) marked.push(deletion);
      return marked;
    },

    /**
     * Applies flags and verdicts of doubtful posts from a source that knows them; returns the changed posts. A
     * verdict may itself be doubtful. If the source may hide edits, possible edits stay doubtful unless it links the versions.
     */
    async settleDoubts(posts: readonly CapturedPost[], mayHideEdits = false) {
      const settled: CapturedPost[] = [];
      for (const post of posts) if (await settleDoubt(post, mayHideEdits)) settled.push(post);
      return settled;
    },
  };
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
    is_doubtful: post.isVersion ? VERSION : toFlag(post.isDoubtful ?? false),
    first_source: post.firstSource ?? null,
    conversation: post.conversation ?? null,
  };
}
