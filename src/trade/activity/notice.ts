// Compares an account's state with what was noticed before: (what lasts, state, advice) -> happenings that
// started, changed or ended. Pure. What lasts is stored, so a restart neither repeats nor loses anything;
// recent prices are not, so a jump during a restart goes unnoticed.

import type { AdviceGiven, AdviceHappening, CountsHappening, Happening } from '../../domain/happening.ts';
import type { Counters, MarketBucket, MarketEvent } from '../../domain/market-event.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { BucketSignal, EventSignals } from '../types.ts';

export interface NoticedAccount {
  accountId: string;
  events: readonly { event: MarketEvent; counters: Counters }[];
  quotes: Readonly<Record<string, Quote>>;
}

interface PricePoint {
  ts: number;
  price: number;
}

export interface Watch {
  /** Happenings that last, and recent price jumps, which may continue; by subject. */
  lasting: ReadonlyMap<string, Happening>;
  /** Yes prices of the last minutes, earliest first, by subject. */
  prices: ReadonlyMap<string, readonly PricePoint[]>;
}

/** A jump is a move of at least this much within this time. */
const MIN_JUMP = 0.05;
const JUMP_WITHIN_MS = 5 * MINUTE_MS;
/** The oracle is usually one or two posts behind. */
const MIN_APART = 3;
const MAX_TOGETHER = 1;

export function startWatch(lasting: readonly Happening[]): Watch {
  return { lasting: new Map(lasting.map((one) => [subjectOf(one), one])), prices: new Map() };
}

export function notice(
  watch: Watch,
  account: NoticedAccount,
  advice: readonly EventSignals[],
  nowTs: number,
): { changed: readonly Happening[]; watch: Watch } {
  const prices = account.events.flatMap(({ event }) => noticePrices(watch, account, event, nowTs));
  const changed = [
    ...noticeAdvice(watch, account, advice, nowTs),
    ...account.events.flatMap((state) => noticeCounts(watch, account.accountId, state, nowTs)),
    ...endUnlisted(watch, account, nowTs),
    ...prices.flatMap(({ jump }) => jump ?? []),
  ];
  const lasting = new Map([...watch.lasting, ...changed.map((one) => [subjectOf(one), one] as const)]);
  for (const [subject, one] of lasting) if (isOver(one, nowTs)) lasting.delete(subject);
  return { changed, watch: { lasting, prices: new Map(prices.map(({ key, points }) => [key, points])) } };
}

/** A price jump may continue for some time; everything else is over when it ends. */
function isOver({ kind, endedTs }: Happening, nowTs: number): boolean {
  return endedTs !== null && (kind !== 'price' || nowTs - endedTs > JUMP_WITHIN_MS);
}

function subjectOf({
  kind,
  eventId,
  bucketLabel,
}: Pick<Happening, 'kind' | 'eventId' | 'bucketLabel'>): string {
  return `${kind}/${eventId}/${bucketLabel}`;
}

function noticeAdvice(
  { lasting }: Watch,
  account: NoticedAccount,
  advice: readonly EventSignals[],
  nowTs: number,
): AdviceHappening[] {
  const now = new Map<string, { eventId: number; signal: BucketSignal }>(
    advice.flatMap(({ eventId, signals }) =>
      signals.map((signal) => [`advice/${eventId}/${signal.bucketLabel}`, { eventId, signal }] as const),
    ),
  );
  const begun = [...now].flatMap(([subject, { eventId, signal }]): AdviceHappening[] => {
    const content = describeAdvice(signal);
    if (content === null || isSameAdvice(lasting.get(subject), content)) return [];
    const about = { accountId: account.accountId, eventId, bucketLabel: signal.bucketLabel };
    return [{ ...about, kind: 'advice', fromTs: signal.verdict.sinceTs, endedTs: null, content }];
  });
  const ended = [...lasting].flatMap(([subject, one]): AdviceHappening[] => {
    if (one.kind !== 'advice' || one.endedTs !== null) return [];
    const signal = now.get(subject)?.signal;
    if (signal && isSameAdvice(one, describeAdvice(signal))) return [];
    const endedBecause = signal ? explainEnd(signal) : 'the window ended';
    const endPrice = findSidePrice(account, one);
    return [{ ...one, endedTs: nowTs, content: { ...one.content, endedBecause, endPrice } }];
  });
  // Ends come first, so that advice that changed sides continues as the new one.
  return [...ended, ...begun];
}

function describeAdvice({ verdict }: BucketSignal): AdviceGiven | null {
  const { kind, edgeKind, limitPrice, winProbability, sentence } = verdict;
  if (kind === 'nothing' || limitPrice === null) return null;
  return {
    verdict: kind,
    edgeKind,
    limitPrice,
    winProbability,
    sentence,
    endedBecause: null,
    endPrice: null,
  };
}

function isSameAdvice(one: Happening | undefined, content: AdviceGiven | null): boolean {
  return one?.kind === 'advice' && one.endedTs === null && one.content.verdict === content?.verdict;
}

function explainEnd({ verdict }: BucketSignal): string | null {
  return verdict.kind === 'nothing' ? (verdict.changedBecause ?? verdict.abstainReason) : verdict.sentence;
}

/** Market price of the side that the advice is about; null if unknown. */
export function findSidePrice(
  { events, quotes }: Pick<NoticedAccount, 'events' | 'quotes'>,
  { eventId, bucketLabel, content }: AdviceHappening,
): number | null {
  const event = events.find((state) => state.event.eventId === eventId)?.event;
  const bucket = event?.buckets.find(({ label }) => label === bucketLabel);
  if (!bucket) return null;
  if (content.verdict !== 'buy-no') return findYesPrice(quotes, bucket);
  const { listedPrice } = bucket;
  return computeMarketPrice(quotes[bucket.noTokenId], listedPrice === null ? null : 1 - listedPrice);
}

function findYesPrice(quotes: NoticedAccount['quotes'], bucket: MarketBucket): number | null {
  return computeMarketPrice(quotes[bucket.yesTokenId], bucket.listedPrice);
}

function noticeCounts(
  { lasting }: Watch,
  accountId: string,
  { event: { eventId }, counters: { real, oracle } }: NoticedAccount['events'][number],
  nowTs: number,
): CountsHappening[] {
  if (real === null || oracle === null) return [];
  const apart = Math.abs(real - oracle);
  const known = lasting.get(`counts/${eventId}/`);
  if (known?.kind !== 'counts') {
    const about = { accountId, eventId, bucketLabel: '', kind: 'counts' as const };
    return apart < MIN_APART ? [] : [{ ...about, fromTs: nowTs, endedTs: null, content: { real, oracle } }];
  }
  if (apart <= MAX_TOGETHER) return [{ ...known, endedTs: nowTs }];
  const isWider = apart > Math.abs(known.content.real - known.content.oracle);
  return isWider ? [{ ...known, content: { real, oracle } }] : [];
}

/** Events leave the state a day after their end. */
function endUnlisted({ lasting }: Watch, { events }: NoticedAccount, nowTs: number): CountsHappening[] {
  const isListed = (eventId: number) => events.some(({ event }) => event.eventId === eventId);
  return [...lasting.values()].flatMap((one) =>
    one.kind === 'counts' && !isListed(one.eventId) ? [{ ...one, endedTs: nowTs }] : [],
  );
}

interface NoticedPrice {
  key: string;
  points: readonly PricePoint[];
  jump: Happening | null;
}

function noticePrices(
  watch: Watch,
  account: NoticedAccount,
  event: MarketEvent,
  nowTs: number,
): NoticedPrice[] {
  if (!isActiveAt(event.window, nowTs)) return [];
  return event.buckets.flatMap((bucket): NoticedPrice[] => {
    const price = bucket.isOpen ? findYesPrice(account.quotes, bucket) : null;
    if (price === null) return [];
    const about = { accountId: account.accountId, eventId: event.eventId, bucketLabel: bucket.label };
    const key = subjectOf({ kind: 'price', ...about });
    const points = addPoint(watch.prices.get(key) ?? [], { ts: nowTs, price });
    const from = points.reduce((far, point) =>
      Math.abs(price - point.price) > Math.abs(price - far.price) ? point : far,
    );
    if (Math.abs(price - from.price) < MIN_JUMP - 1e-9) return [{ key, points, jump: null }];
    const span = continueJump(watch.lasting.get(key), from, price, nowTs);
    return [{ key, points: points.slice(-1), jump: { ...about, kind: 'price', endedTs: nowTs, ...span } }];
  });
}

/** A move in the same direction soon after a jump continues the jump. */
function continueJump(known: Happening | undefined, from: PricePoint, toPrice: number, nowTs: number) {
  const isSameWay =
    known?.kind === 'price' &&
    Math.sign(known.content.toPrice - known.content.fromPrice) === Math.sign(toPrice - from.price);
  if (!isSameWay || isOver(known, nowTs))
    return { fromTs: from.ts, content: { fromPrice: from.price, toPrice } };
  return { fromTs: known.fromTs, content: { fromPrice: known.content.fromPrice, toPrice } };
}

/** Keeps the points of the last minutes; the point before them was the price when they began. */
function addPoint(points: readonly PricePoint[], next: PricePoint): readonly PricePoint[] {
  const fresh = points.filter((_, i) => (points[i + 1]?.ts ?? next.ts) > next.ts - JUMP_WITHIN_MS);
  return fresh.at(-1)?.price === next.price ? fresh : [...fresh, next];
}
