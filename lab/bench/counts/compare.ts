// Compares stored posts with the simulator's truth, by post and by event, after the service has stopped. The
// service cannot know about a post that no feed delivered while it existed; the simulator records every
// delivery. Posts delivered only by the oracle are stored as deleted (see gap-repair.ts).

import type { EventTruth, PostTruth } from '../../../simulator/truth.ts';
import type { CapturedPost } from '../../../src/domain/post.ts';
import { HOUR_MS } from '../../../src/domain/units.ts';
import type { Store } from '../../../src/store/ports.ts';
import type { Truth } from './simulator-control.ts';

export interface EventRow {
  event: EventTruth;
  /** Counted posts that were made, and how many of them no feed ever delivered. */
  happened: number;
  neverShown: number;
  /** Delivered, then deleted; they remain counted. */
  deleted: number;
  /** Equals `happened - neverShown` if everything is correct. */
  ours: number;
  /** Bounds reported with our count. */
  low: number;
  high: number;
  /** The part of `ours` already stored when /meta was read. */
  whenShown: number;
}

export interface Comparison {
  rows: EventRow[];
  posts: number;
  counted: number;
  neverShown: number;
  deletedCaptured: number;
  deletedMarked: number;
  fastDeleted: number;
  fastCaptured: number;
  onlyFromOracle: number;
  /** Delivered to a process as it was killed, and deleted before the next process polled. */
  diedWithReader: number;
  /** Expected, stored and reported as doubtful: no source said whether it counts or is a separate post. */
  inDoubt: number;
  broken: string[];
}

export interface CompareOptions {
  store: Store;
  truth: Truth;
  runFromTs: number;
  /** Deliveries after this time are ignored: the service was stopping. */
  cutTs: number;
  /** When /meta was read. */
  shownTs: number;
  killTs: readonly number[];
  speed: number;
}

const ACCOUNTS = ['a', 'b'];
const ALL = 1_000_000;
/** Gap repair skips younger posts, because an unknown id may be an edit. */
const REPAIR_AGE_MS = HOUR_MS;
/** On a busy machine a response may still be on its way to disk this many real milliseconds around a kill. */
const IN_FLIGHT_MS = 1_000;
const FAST_MS = 10_000;

export async function compareWithTruth(options: CompareOptions): Promise<Comparison> {
  const { store, truth, runFromTs, cutTs } = options;
  const broken: string[] = [];
  const kept = new Map<PostTruth, CapturedPost>();
  for (const accountId of ACCOUNTS) {
    const rows = await store.posts.listRecent(accountId, ALL, 0);
    joinRows(accountId, rows, truth, kept, broken);
  }
  const fromTs = Math.min(...truth.events.map((event) => event.startTs));
  const posts = truth.posts.filter(
    (post) => post.isCounted && post.createdTs >= fromTs && post.createdTs < cutTs,
  );
  const pending = new Set<PostTruth>();
  let diedWithReader = 0;
  let inDoubt = 0;
  for (const post of posts) {
    const row = kept.get(post);
    if (wasShown(post, row !== undefined, cutTs)) pending.add(post);
    if (pending.has(post) === (row?.isCounted ?? false)) continue;
    if (row?.isDoubtful) inDoubt += 1;
    else if (!row && diedWithItsReader(post, options)) {
      pending.delete(post);
      diedWithReader += 1;
    } else broken.push(`post ${row ? 'stored wrongly' : 'not stored'}: ${JSON.stringify(post)}`);
  }
  const rows: EventRow[] = [];
  for (const event of truth.events) {
    const row = await compareEvent(options, event, posts, pending, broken);
    rows.push({ ...row, whenShown: countShown(event, [...kept.values()], options.shownTs) });
  }
  const inRun = posts.filter((post) => post.createdTs >= runFromTs);
  const fast = inRun.filter((post) => post.deletedTs !== null && post.deletedTs - post.visibleTs <= FAST_MS);
  const captured = inRun.filter((post) => kept.has(post));
  const deleted = captured.filter((post) => post.deletedTs !== null);
  return {
    rows,
    posts: kept.size,
    counted: inRun.length,
    neverShown: inRun.filter((post) => !pending.has(post)).length,
    deletedCaptured: deleted.length,
    deletedMarked: deleted.filter((post) => kept.get(post)!.deletedTs !== null).length,
    fastDeleted: fast.length,
    fastCaptured: fast.filter((post) => kept.has(post)).length,
    onlyFromOracle: captured.filter((post) => post.firstServedTs === null).length,
    diedWithReader,
    inDoubt,
    broken,
  };
}

/** Checks that every row is an existing post and that no two rows count the same post. */
function joinRows(
  accountId: string,
  rows: readonly CapturedPost[],
  truth: Truth,
  kept: Map<PostTruth, CapturedPost>,
  broken: string[],
): void {
  const happened = truth.posts.filter((post) => post.accountId === accountId);
  const byId = new Map(happened.flatMap((post) => [post.id, ...post.editIds].map((id) => [id, post])));
  if (new Set(rows.map((row) => row.rootPostId)).size !== rows.length)
    broken.push(`${accountId}: an edit chain spans more than one row`);
  for (const row of rows) {
    const post = byId.get(row.postId);
    if (!post) broken.push(`row ${accountId}/${row.postId}: no such post exists`);
    else if (kept.get(post)?.isCounted && row.isCounted)
      broken.push(`row ${describeRow(row)}: counted twice, also as ${describeRow(kept.get(post)!)}`);
    // An uncounted version must not hide the counted one.
    else if (!kept.get(post)?.isCounted) kept.set(post, row);
  }
}

function describeRow({ accountId, postId, rootPostId, firstSource, deletedTs }: CapturedPost): string {
  return `${accountId}/${postId} (root ${rootPostId}, from ${firstSource}${deletedTs === null ? '' : ', deleted'})`;
}

/** Whether a feed delivered the post, so that it must be counted. */
export function wasShown(post: PostTruth, isKept: boolean, cutTs: number): boolean {
  if (isKept) return post.firstServedTs !== null || post.importedTs !== null;
  const wasServed = post.firstServedTs !== null && post.firstServedTs < cutTs;
  return wasServed || (post.importedTs !== null && post.createdTs < cutTs - REPAIR_AGE_MS);
}

export function diedWithItsReader(
  post: PostTruth,
  { killTs, speed }: { killTs: readonly number[]; speed: number },
): boolean {
  const { firstServedTs, deletedTs, importedTs } = post;
  if (firstServedTs === null || deletedTs === null || importedTs !== null) return false;
  return killTs.some((ts) => Math.abs(firstServedTs - ts) < IN_FLIGHT_MS * speed);
}

function countShown(
  { accountId, startTs, endTs }: EventTruth,
  kept: readonly CapturedPost[],
  ts: number,
): number {
  return kept.filter(
    (row) =>
      row.accountId === accountId &&
      row.isCounted &&
      row.createdTs >= startTs &&
      row.createdTs < endTs &&
      row.firstSeenTs <= ts,
  ).length;
}

async function compareEvent(
  { store, cutTs }: CompareOptions,
  event: EventTruth,
  posts: readonly PostTruth[],
  pending: ReadonlySet<PostTruth>,
  broken: string[],
): Promise<Omit<EventRow, 'whenShown'>> {
  const { accountId, startTs, endTs, slug } = event;
  const inside = posts.filter(
    (post) => post.accountId === accountId && post.createdTs >= startTs && post.createdTs < endTs,
  );
  const ours = await store.posts.countCounted(accountId, startTs, Math.min(endTs, cutTs));
  const expected = inside.filter((post) => pending.has(post)).length;
  const known = await store.events.find(event.eventId);
  if (!known) broken.push(`event ${slug}: unknown`);
  else if (known.window.startTs !== startTs || known.window.endTs !== endTs)
    broken.push(`event ${slug}: wrong window ${JSON.stringify(known.window)}`);
  const doubt = await store.posts.countDoubtful(accountId, startTs, Math.min(endTs, cutTs));
  const [low, high] = [ours - doubt.counted, ours + doubt.uncounted];
  if (expected < low || expected > high)
    broken.push(`event ${slug}: ${ours} (${low} to ${high}) counted, ${expected} delivered`);
  return {
    event,
    happened: inside.length,
    neverShown: inside.length - expected,
    deleted: inside.filter((post) => post.deletedTs !== null && pending.has(post)).length,
    ...{ ours, low, high },
  };
}
