// A real past for the simulator to serve: ladders with their recorded prices and outcomes, and the posts of
// one account, instead of drawn ones.

import type { HistoryRow } from '../../src/domain/history-csv.ts';
import type { CountWindow } from '../../src/domain/market-event.ts';
import { HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { LabelledRange } from '../ladders.ts';
import type { PricePoint } from '../market/listed-event.ts';
import type { OracleBook } from '../oracle/oracle-book.ts';
import { makeSnowflake } from '../platform-ids.ts';
import { REPLY_AFTER_MS } from '../posts/draw-post.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { noEdits, type PostKind, type SimulatorPost } from '../posts/simulator-post.ts';

export interface RecordedLadder {
  window: CountWindow;
  /** Ascending, and complete: what the file leaves out is one bucket per gap. */
  ranges: readonly LabelledRange[];
  /** Per bucket, oldest first; empty where the file has no price. */
  points: readonly (readonly PricePoint[])[];
  /** null: the event has ended but is not settled. */
  outcome: { finalCount: number; winner: number } | null;
}

export interface RecordedPast {
  accountId: string;
  ladders: readonly RecordedLadder[];
  posts: readonly SimulatorPost[];
}

/** Median delay between a post and its import by the oracle. */
const IMPORT_DELAY_MS = 143 * SECOND_MS;
const SYNC_PERIOD_MS = 264 * SECOND_MS;
/** When an event with a known outcome is settled. */
export const SETTLED_AFTER_MS = 3 * HOUR_MS;

export function toSimulatorPosts(accountId: string, rows: readonly HistoryRow[]): SimulatorPost[] {
  const sorted = [...rows].sort((left, right) => left.createdTs - right.createdTs);
  let thread: string | null = null;
  return sorted.map((row) => {
    const kind = kindOf(row);
    const replyToId = kind === 'reply' ? makeSnowflake(row.createdTs - REPLY_AFTER_MS, 1) : null;
    const rootId: string = kind === 'self-reply' && thread !== null ? thread : (replyToId ?? row.postId);
    if (kind === 'original') thread = row.postId;
    return {
      accountId,
      id: row.postId,
      createdTs: row.createdTs,
      visibleTs: row.createdTs,
      kind,
      isQuoteReply: false,
      isCommunity: false,
      replyToId: kind === 'self-reply' ? rootId : replyToId,
      conversationId: rootId,
      ...(kind === 'self-reply' ? { conversation: 'own' as const } : {}),
      edits: noEdits(),
      deletedTs: null,
      isCounted: row.isCounted,
      firstServedTs: null,
    };
  });
}

/** A reply that counts is a reply to the account itself. */
function kindOf(row: HistoryRow): PostKind {
  if (row.isReply) return row.isCounted ? 'self-reply' : 'reply';
  if (row.isRetweet) return 'repost';
  return row.isQuote ? 'quote' : 'original';
}

/** Imports every counted post after the usual delay, and ends each window on its recorded final count. */
export function createRecordedOracle(ledger: PostLedger, ladders: readonly RecordedLadder[]): OracleBook {
  const finals = new Map(
    ladders.flatMap(({ window, outcome }) =>
      outcome ? [[`${window.startTs} ${window.endTs}`, outcome.finalCount] as const] : [],
    ),
  );
  const importedTsOf = (post: SimulatorPost) => post.createdTs + IMPORT_DELAY_MS;
  const postsIn: OracleBook['postsIn'] = (fromTs, toTs, asofTs) =>
    ledger.range(fromTs, toTs).filter((post) => post.isCounted && importedTsOf(post) <= asofTs);
  return {
    schedule: {
      importTs: (visibleTs) => visibleTs + IMPORT_DELAY_MS,
      lastSyncTs: (ts) => Math.floor(ts / SYNC_PERIOD_MS) * SYNC_PERIOD_MS,
      stallEnd: () => null,
    },
    importedTsOf,
    postsIn,
    countIn(fromTs, toTs, asofTs) {
      const final = asofTs >= toTs + SETTLED_AFTER_MS ? finals.get(`${fromTs} ${toTs}`) : undefined;
      return final ?? postsIn(fromTs, toTs, asofTs).length;
    },
  };
}
