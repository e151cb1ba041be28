// Dossiers of 200 settled events with sources, edits, deletions, readings, lists and revisions in every order. Each
// sentence is compared with the data that the events were made of, not with the store or the dossier's code.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/units.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { type Harness, startHarness } from './harness.ts';
import {
  drawEvent,
  EVENTS,
  type RawEvent,
  type RawPost,
  type RawResult,
  type Reading,
  recordEvent,
} from './raw-events.ts';

const time = (ts: number) => `${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** One post counts once, and on the second venue only while it exists. */
const isCounted = (event: RawEvent, { is, deletedTs }: RawPost) =>
  (is === 'post' || is === 'repost') && !(event.isSecondVenue && deletedTs !== null);
const counted = (event: RawEvent) => event.posts.filter((post) => isCounted(event, post));
const among = (event: RawEvent, is: RawPost['is']) => event.posts.filter((post) => post.is === is).length;
const deletedAway = (event: RawEvent) =>
  event.posts.filter((post) => /post/.test(post.is) && !isCounted(event, post)).length;

const isSeenAtOracle = (event: RawEvent, { source }: RawPost) =>
  source?.startsWith(event.isSecondVenue ? 'rollcall' : 'oracle') ?? false;

function seenAt(event: RawEvent): string {
  const groups: Record<string, number> = {};
  for (const post of counted(event)) {
    const place = isSeenAtOracle(event, post)
      ? 'in the oracle’s list'
      : post.source
        ? 'independently of the oracle'
        : 'at a source that was not recorded';
    groups[place] = (groups[place] ?? 0) + 1;
  }
  const order = ['independently', 'in the', 'at a'];
  const place = ([name]: [string, number]) => order.findIndex((start) => name.startsWith(start));
  const sorted = Object.entries(groups).sort((one, other) => place(one) - place(other));
  return sorted.map(([name, count]) => `${count} ${name}`).join(', ');
}

/** When a reading showed something new: every earlier reading in a row with the same count is repeated. */
function dateOf(readings: readonly Reading[], last: Reading): number {
  let at = readings.indexOf(last);
  while (at > 0 && readings[at - 1]!.count === last.count) at--;
  return readings[at]!.ts;
}

const said = (readings: readonly Reading[], last: Reading) =>
  `${last.count} (${time(dateOf(readings, last))})`;
const readBy = ({ oracle, endTs }: RawEvent) => oracle.findLast(({ ts }) => ts <= endTs);
/** The readings from the last one by the close on, stepwise. */
function stepsAfter(event: RawEvent): number[] {
  const from = Math.max(
    0,
    event.oracle.findLastIndex(({ ts }) => ts <= event.endTs),
  );
  return event.oracle.slice(from + 1).map(({ count }, i) => count - event.oracle[from + i]!.count);
}
const hasMoved = (event: RawEvent) => stepsAfter(event).some((step) => step !== 0);
const moves = (event: RawEvent) => stepsAfter(event).filter((step) => step !== 0).length;
/** The first reading after the close with another count than the one by the close. */
const nextRead = (event: RawEvent) =>
  event.oracle.find(({ ts, count }) => ts > event.endTs && count !== readBy(event)?.count)!;
const lastRead = ({ oracle }: RawEvent) => oracle.at(-1)!;
const hoursAfter = (event: RawEvent, ts: number) => Math.round((10 * (ts - event.endTs)) / HOUR_MS) / 10;

function describeMoves(event: RawEvent): string {
  let [up, down] = [0, 0];
  for (const step of stepsAfter(event)) step > 0 ? (up += step) : (down -= step);
  return [up && `up ${up}`, down && `down ${down}`].filter(Boolean).join(', ');
}

/** Lists can be compared only if all of this venue's list was recorded. */
const isListed = ({ isSecondVenue, list }: RawEvent) => !isSecondVenue && list.length > 0;
const isWhole = (event: RawEvent) => isListed(event) && event.oracle.at(-1)?.count === event.list.length;
const lacking = (event: RawEvent) =>
  counted(event).filter(({ id }) => !event.list.some((one) => one.id === id)).length;
const surplus = (event: RawEvent) =>
  event.list.filter(({ id }) => !counted(event).some((one) => one.id === id)).length;
const late = ({ list }: RawEvent) =>
  list.flatMap(({ createdTs, importedTs }) =>
    importedTs !== null && importedTs >= createdTs + HOUR_MS ? [importedTs] : [],
  );

const result = ({ results }: RawEvent) => results.at(-1)!;
const fallsIn = ({ estimate }: RawResult) => (estimate < 40 ? '<40' : '40+');
const wonText = ({ paid }: RawResult) => (paid ? `bucket ${paid} won` : 'the winning bucket is not recorded');
const resultText = (one: RawResult) =>
  one.oracleCount === null
    ? `the market paid ${one.paid}; the count ${one.estimate} is our estimate`
    : `${one.oracleCount} by the oracle’s count; ${wonText(one)}`;

type Word = string | number;

/** Every kind of sentence: when it must appear, and the words that the event supports. */
const SENTENCES: [RegExp, (event: RawEvent) => boolean, (event: RawEvent) => Word[]][] = [
  [/^The contract counts .*, from (.*) until (.*)\.$/, () => true, (e) => [time(e.startTs), time(e.endTs)]],
  [
    /^This instance recorded (\d+) posts? from that time and counts (\d+)\.$/,
    () => true,
    (e) => [e.posts.length, counted(e).length],
  ],
  [/^The counted posts were first seen: (.*)\.$/, (e) => counted(e).length > 0, (e) => [seenAt(e)]],
  [
    /^Not counted: (\d+) \(a reply does not count\)\.$/,
    (e) => among(e, 'reply') > 0,
    (e) => [among(e, 'reply')],
  ],
  [
    /^Not counted: (\d+) \(another version of this post was recorded\)\.$/,
    (e) => among(e, 'version') > 0,
    (e) => [among(e, 'version')],
  ],
  [
    /^Not counted: (\d+) \(it may be another version of a post\)\.$/,
    (e) => e.posts.some((post) => isOpenRepeat(e, post)),
    (e) => [e.posts.filter((post) => isOpenRepeat(e, post)).length],
  ],
  [
    /^Not counted: (\d+) \(deleted posts do not count\)\.$/,
    (e) => deletedAway(e) + goneRepeats(e) > 0,
    (e) => [deletedAway(e) + goneRepeats(e)],
  ],
  [
    /^(\d+) counted posts? (?:was|were) deleted later\.$/,
    (e) => counted(e).some(({ deletedTs }) => deletedTs !== null),
    (e) => [counted(e).filter(({ deletedTs }) => deletedTs !== null).length],
  ],
  [
    /^We first saw (\d+) of the counted posts after the close\.$/,
    (e) => counted(e).some(({ seenTs }) => seenTs >= e.endTs),
    (e) => [counted(e).filter(({ seenTs }) => seenTs >= e.endTs).length],
  ],
  [/^No oracle count is recorded\.$/, (e) => e.oracle.length === 0, () => []],
  [
    /^The last new oracle count that we read by the close is (.*)\.$/,
    (e) => readBy(e) !== undefined,
    (e) => [said(e.oracle, readBy(e)!)],
  ],
  [/^We read no change since\.$/, (e) => readBy(e) !== undefined && !hasMoved(e), () => []],
  [
    /^The next that we read is (\d+) \(([^,]*), ([\d.]+) h after the close\): (.*)\.$/,
    (e) => readBy(e) !== undefined && moves(e) === 1,
    (e) => {
      const { ts, count } = nextRead(e);
      return [count, time(ts), hoursAfter(e, ts), describeMoves(e)];
    },
  ],
  [
    /^The next that we read is (\d+ \(.*\)), and the last is (\d+) \((.*), ([\d.]+) h after the close\): (.*)\.$/,
    (e) => readBy(e) !== undefined && moves(e) > 1,
    (e) => {
      const [next, last] = [nextRead(e), dateOf(e.oracle, lastRead(e))];
      return [
        ...[`${next.count} (${time(next.ts)})`, lastRead(e).count, time(last)],
        ...[hoursAfter(e, last), describeMoves(e)],
      ];
    },
  ],
  [
    /^We recorded no oracle count by the close; the first is (\d+ \(.*?\))(?:, and the last is (.*))?\.$/,
    (e) => readBy(e) === undefined && e.oracle.length > 0,
    (e) => [
      `${e.oracle[0]!.count} (${time(e.oracle[0]!.ts)})`,
      hasMoved(e) ? said(e.oracle, lastRead(e)) : 'undefined',
    ],
  ],
  [
    /^The last oracle count that we read equals ours\.$/,
    (e) => e.oracle.at(-1)?.count === counted(e).length,
    () => [],
  ],
  [
    /^The last oracle count that we read is (\d+) (above|below) ours\.$/,
    (e) => e.oracle.length > 0 && lastRead(e).count !== counted(e).length,
    (e) => {
      const more = lastRead(e).count - counted(e).length;
      return [Math.abs(more), more > 0 ? 'above' : 'below'];
    },
  ],
  [/^The oracle’s list of posts was not recorded for this window\.$/, (e) => !isListed(e), () => []],
  [
    /^The oracle imported (\d+) posts? from this window an hour or more late, (\d+) of them after the close\.$/,
    (e) => isListed(e) && late(e).length > 0,
    (e) => [late(e).length, late(e).filter((ts) => ts > e.endTs).length],
  ],
  [
    /^Of the oracle’s list we recorded (\d+) posts?, and it counted (\d+), so we do not compare the lists\.$/,
    (e) => isListed(e) && e.oracle.length > 0 && lastRead(e).count > e.list.length,
    (e) => [e.list.length, lastRead(e).count],
  ],
  [
    /^We recorded (\d+) posts? that the oracle has listed, more than its last count of (\d+), so we do not compare the lists\.$/,
    (e) => isListed(e) && e.oracle.length > 0 && lastRead(e).count < e.list.length,
    (e) => [e.list.length, lastRead(e).count],
  ],
  [
    /^Of the oracle’s list we recorded (\d+) posts?, but no oracle count is recorded, so we do not compare the lists\.$/,
    (e) => isListed(e) && e.oracle.length === 0,
    (e) => [e.list.length],
  ],
  [
    /^The oracle’s list contains exactly the posts we count\.$/,
    (e) => isWhole(e) && lacking(e) + surplus(e) === 0,
    () => [],
  ],
  [
    /^The oracle’s list lacks (\d+) posts? that we count and has (\d+) that we do not\.$/,
    (e) => isWhole(e) && lacking(e) + surplus(e) > 0,
    (e) => [lacking(e), surplus(e)],
  ],
  [
    /^The last new count that we read on the market page is (.*)\.$/,
    (e) => e.page.length > 0,
    (e) => [said(e.page, e.page.at(-1)!)],
  ],
  [/^It settled at (.*)\.$/, (e) => result(e).oracleCount !== null, (e) => [resultText(result(e))]],
  [
    /^T(he market paid .*; .*)\.$/,
    (e) => result(e).oracleCount === null,
    (e) => [resultText(result(e)).slice(1)],
  ],
  [
    /^It was revised; first \((.*?)\): (.*)\.$/,
    ({ results }) => results.length > 1,
    ({ results: [first] }) => [time(first!.ts), resultText(first!)],
  ],
  [
    /^The market paid (.*), although the count falls in (.*)\.$/,
    (e) => result(e).paid !== null && result(e).paid !== fallsIn(result(e)),
    (e) => [result(e).paid!, fallsIn(result(e))],
  ],
];

const isOpenRepeat = (event: RawEvent, { is, deletedTs }: RawPost) =>
  is === 'repeat' && !(event.isSecondVenue && deletedTs !== null);
const goneRepeats = (event: RawEvent) =>
  event.posts.filter((post) => post.is === 'repeat' && !isOpenRepeat(event, post)).length;

/** "posts: counted by us 3, by the oracle 2", which only a whole list shows. */
const KIND = /^(posts|reposts|replies to others): counted by us (\d+), by the oracle (\d+)\.$/;
const KINDS: Record<string, RawPost['is']> = {
  posts: 'post',
  reposts: 'repost',
  'replies to others': 'reply',
};

function checkKind(event: RawEvent, sentence: string): void {
  const [, kind, ours, theirs] =
    KIND.exec(sentence) ?? assert.fail(`event ${event.eventId}: unknown sentence: ${sentence}`);
  const posts = event.posts.filter(({ is }) => is === KINDS[kind!]);
  const listed = posts.filter(({ id }) => event.list.some((one) => one.id === id));
  assert.ok(isWhole(event), sentence);
  assert.deepEqual(
    [Number(ours), Number(theirs)],
    [kind === 'replies to others' ? 0 : posts.length, listed.length],
  );
}

describe('dossiers of 200 settled events', () => {
  const events: RawEvent[] = [];
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
    const random = createRandom(21);
    for (let i = 0; i < EVENTS; i++) events.push(drawEvent(i, random));
    for (const event of events) await recordEvent(harness.store, event);
  });
  after(() => harness.close());

  it('say nothing that did not happen, and leave nothing out', async () => {
    const seen = new Set<RegExp>();
    for (const event of events) {
      const path = `/history/account_a/${event.eventId}/dossier`;
      const { json } = await harness.call(path, { key: harness.keys.INTERNAL });
      const left = new Set<string>(json.data.dossier.explanation);
      for (const [pattern, isDue, wordsOf] of SENTENCES) {
        const found = [...left].filter((sentence) => pattern.test(sentence));
        assert.equal(found.length, isDue(event) ? 1 : 0, `event ${event.eventId}: ${pattern}`);
        if (!isDue(event)) continue;
        assert.deepEqual(
          pattern.exec(found[0]!)!.slice(1).map(String),
          wordsOf(event).map(String),
          pattern.source,
        );
        left.delete(found[0]!);
        seen.add(pattern);
      }
      for (const sentence of left) checkKind(event, sentence);
    }
    assert.deepEqual(
      SENTENCES.filter(([pattern]) => !seen.has(pattern)).map(([pattern]) => pattern),
      [],
      'every kind of sentence occurs',
    );
  });

  it('cover readings that rise and fall, outages before the close, and deleted versions', () => {
    const covers = (check: (event: RawEvent) => boolean) => assert.ok(events.some(check), String(check));
    covers((e) => readBy(e) !== undefined && /up.*down/.test(describeMoves(e)));
    covers((e) => readBy(e) !== undefined && moves(e) > 1 && stepsAfter(e).at(-1)! < 0);
    covers((e) => readBy(e) !== undefined && e.endTs - readBy(e)!.ts > 12 * HOUR_MS);
    covers(
      (e) => !e.isSecondVenue && e.posts.some(({ is, deletedTs }) => is === 'version' && deletedTs !== null),
    );
    covers((e) => e.isSecondVenue && e.list.length > 0 && seenAt(e).includes('in the oracle’s list'));
  });

  it('list no post of another venue’s oracle, and no gaps of a list that does not match the count', async () => {
    for (const event of events.filter((one) => !isWhole(one))) {
      const path = `/history/account_a/${event.eventId}/dossier`;
      const { json } = await harness.call(path, { key: harness.keys.INTERNAL });
      const { disagreements, posts } = json.data.dossier;
      const gaps = disagreements.filter(({ what }: { what: string }) => what.startsWith('counted here'));
      assert.deepEqual(gaps, []);
      if (event.isSecondVenue)
        assert.ok(posts.every((post: { oracle_listed_ts: number | null }) => post.oracle_listed_ts === null));
    }
  });
});
