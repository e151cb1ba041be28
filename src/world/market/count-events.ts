// The count events of both accounts as a book of events: main ones, and the traps that stand beside them.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { WorldAccountParameters } from '../account-parameters.ts';
import { chance, hashNumbers, smoothNoise } from '../chance.ts';
import { civilDay } from '../eastern-time.ts';
import type { OracleBook } from '../oracle/oracle-book.ts';
import { makeConditionId, makeTokenId } from '../platform-ids.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { stateFactor } from '../posts/rate-path.ts';
import type { RegimeChange } from '../regime.ts';
import { type CrowdSkill, crowdShares } from './crowd.ts';
import { type CountSlot, findSlot, slotsListedBy } from './event-calendar.ts';
import { eventRules, eventSlug, eventTitle, marketQuestion, marketSlug } from './event-words.ts';
import { ADD_ON_WEEK, type LabelledRange, ladderFor } from './ladders.ts';
import type { EventBook, ListedEvent, ListedMarket, MarketPrice } from './listed-event.ts';
import { makeMarketId } from './listed-event.ts';
import { addOverround, quoteAround, roundTo } from './quotes.ts';
import { countedShare } from './remaining-count.ts';

export interface CountAccount {
  ledger: PostLedger;
  oracle: OracleBook;
}

export interface CountEventsOptions {
  seedKey: number;
  anchorTs: number;
  skill: CrowdSkill;
  regimes: readonly RegimeChange[];
  account(accountId: string): CountAccount;
}

export interface CountEvents extends EventBook {
  slot(eventId: number): CountSlot | null;
  ranges(slot: CountSlot): readonly LabelledRange[];
  /** The oracle's count that decided it; null while open. */
  finalCount(slot: CountSlot, nowTs: number): number | null;
}

const EARLY_CLOSE_DELAY_MS = 20 * MINUTE_MS;
const TWEET_TAG = { id: '972', label: 'Tweet Markets', slug: 'tweets-markets' };
const CULTURE_TAG = { id: '596', label: 'Culture', slug: 'pop-culture' };
const MENTION_WORDS = ['Harbor', 'Lantern', 'Compass', 'Meter', 'Garden', 'Bridge'];
const SERIES_IDS: Record<string, string> = {
  a2d: '10001',
  a7d: '10002',
  amonth: '10003',
  b2d: '10011',
  b7d: '10012',
  bmonth: '10013',
};
const CACHED_EVENTS = 80;
const CACHED_PRICES = 4000;

export function createCountEvents(options: CountEventsOptions): CountEvents {
  const { seedKey, account } = options;
  const calendarKey = hashNumbers(seedKey, 0xca1);
  const marketCache = new Map<number, readonly ListedMarket[]>();
  const shareCache = new Map<string, number[]>();
  const finalCache = new Map<number, { count: number; settledTs: number }>();

  function parametersOf(slot: CountSlot): WorldAccountParameters {
    return account(slot.accountId).ledger.parameters;
  }

  function ranges(slot: CountSlot): readonly LabelledRange[] {
    if (slot.variant === 'add-on') return ADD_ON_WEEK;
    const { ledger } = account(slot.accountId);
    const days = (slot.window.endTs - slot.window.startTs) / DAY_MS;
    const level = stateFactor(ledger.parameters, ledger.process.path.stateAt(slot.listedTs), 1);
    return ladderFor(
      slot.accountId,
      slot.family,
      days * ledger.parameters.postsPerDay * countedShare(ledger.parameters) * level,
    );
  }

  function settle(slot: CountSlot, nowTs: number): { count: number; settledTs: number } | null {
    const known = finalCache.get(slot.eventId);
    if (known) return known.settledTs <= nowTs ? known : null;
    const { oracle } = account(slot.accountId);
    if (slot.variant === 'archived') {
      // Withdrawn and "resolved" two days into its window: whoever believes it has the wrong answer.
      const settledTs = slot.window.startTs + 2 * DAY_MS;
      return settledTs <= nowTs ? { count: 0, settledTs } : null;
    }
    let settledTs = slot.window.endTs + Math.round((2 + 4 * chance(seedKey, slot.eventId, 81)) * HOUR_MS);
    const stallEndTs = oracle.schedule.stallEnd(settledTs - HOUR_MS);
    if (stallEndTs !== null) settledTs = stallEndTs + 2 * HOUR_MS;
    if (settledTs > nowTs) return null;
    const settled = { count: oracle.countIn(slot.window.startTs, slot.window.endTs, settledTs), settledTs };
    finalCache.set(slot.eventId, settled);
    return settled;
  }

  function shares(slot: CountSlot, ts: number): number[] {
    const cacheKey = `${slot.eventId}:${ts}`;
    const known = shareCache.get(cacheKey);
    if (known) return known;
    const { ledger } = account(slot.accountId);
    const computed =
      slot.variant === 'mention'
        ? MENTION_WORDS.map(
            (_, i) => 0.5 + 0.35 * Math.tanh(smoothNoise(hashNumbers(seedKey, slot.eventId, i), ts / DAY_MS)),
          )
        : addOverround(
            crowdShares(
              { ledger, regimes: options.regimes, seedKey, skill: options.skill },
              slot,
              ranges(slot),
              ts,
            ),
          );
    remember(shareCache, cacheKey, computed, CACHED_PRICES);
    return computed;
  }

  function closedCount(slot: CountSlot, ts: number): number {
    if (slot.variant !== 'count' && slot.variant !== 'add-on') return -1;
    const { oracle } = account(slot.accountId);
    return oracle.countIn(slot.window.startTs, slot.window.endTs, ts - EARLY_CLOSE_DELAY_MS);
  }

  /** When the oracle's count passed `count`, and the market noticed. */
  function passedTs(slot: CountSlot, count: number, ts: number): number {
    const { oracle } = account(slot.accountId);
    const imports = oracle
      .postsIn(slot.window.startTs, slot.window.endTs, ts)
      .map((post) => oracle.importedTsOf(post)!)
      .sort((left, right) => left - right);
    return (imports[count] ?? ts) + EARLY_CLOSE_DELAY_MS;
  }

  function isWinner(slot: CountSlot, index: number, count: number): boolean {
    if (slot.variant === 'mention') return chance(seedKey, slot.eventId, index) < 0.5;
    const range = ranges(slot)[index]!;
    return count >= range.lo && (range.hi === null || count <= range.hi);
  }

  function toListed(slot: CountSlot): ListedEvent {
    const parameters = parametersOf(slot);
    const slug = eventSlug(parameters, slot);
    const seriesSlug =
      slot.variant === 'mention' ? `${parameters.series['7d']}-mention` : parameters.series[slot.family];
    const days = (slot.window.endTs - slot.window.startTs) / DAY_MS;
    return {
      eventId: slot.eventId,
      kind: slot.variant,
      accountId: slot.accountId,
      title: eventTitle(parameters, slot),
      slug,
      description: eventRules(parameters, slot),
      image: `https://images.example/${parameters.accountId}-${slot.family}.png`,
      listedTs: slot.listedTs,
      startTs: slot.window.startTs,
      endTs: slot.window.endTs,
      series: {
        id: slot.variant === 'mention' ? '10099' : SERIES_IDS[slot.accountId + slot.family]!,
        slug: seriesSlug,
        title: seriesSlug.replaceAll('-', ' '),
        recurrence: slot.family === 'month' ? 'monthly' : 'weekly',
      },
      tags: [
        TWEET_TAG,
        CULTURE_TAG,
        {
          id: slot.accountId === 'a' ? '9001' : '9002',
          label: parameters.displayName,
          slug: parameters.displayName.toLowerCase().replaceAll(' ', '-'),
        },
      ],
      isNegRisk: slot.variant !== 'mention',
      isArchived: slot.variant === 'archived',
      fee: { type: 'culture_fees', rate: 0.05 },
      tick: parameters.market.tick,
      depthUsd: parameters.market.depthUsd,
      halfSpread: parameters.market.halfSpread,
      volumeUsd:
        parameters.market.weeklyVolumeUsd * Math.sqrt(days / 7) * (0.5 + chance(seedKey, slot.eventId, 83)),
    };
  }

  function slotOf(event: ListedEvent): CountSlot {
    return findSlot(calendarKey, event.eventId)!;
  }

  const book: CountEvents = {
    slot: (eventId) => findSlot(calendarKey, eventId),
    ranges,
    finalCount: (slot, nowTs) => settle(slot, nowTs)?.count ?? null,
    list: (nowTs) => slotsListedBy(calendarKey, options.anchorTs, nowTs).map(toListed),
    find(eventId, nowTs) {
      const slot = findSlot(calendarKey, eventId);
      if (!slot || slot.listedTs > nowTs || slot.window.startTs < options.anchorTs) return null;
      return toListed(slot);
    },
    markets(event) {
      const known = marketCache.get(event.eventId);
      if (known) return known;
      const slot = slotOf(event);
      const labels = slot.variant === 'mention' ? MENTION_WORDS : ranges(slot).map((range) => range.label);
      const parameters = parametersOf(slot);
      const markets = labels.map((label, index) => {
        const marketId = makeMarketId(event.eventId, index);
        return {
          marketId,
          index,
          label,
          question: marketQuestion(parameters, event.title, label),
          slug: marketSlug(event.slug, label),
          outcomes: ['Yes', 'No'] as const,
          conditionId: makeConditionId(seedKey, marketId),
          tokenIds: [makeTokenId(seedKey, marketId, 0), makeTokenId(seedKey, marketId, 1)] as const,
        };
      });
      remember(marketCache, event.eventId, markets, CACHED_EVENTS);
      return markets;
    },
    settledTs: (event, nowTs) => settle(slotOf(event), nowTs)?.settledTs ?? null,
    prices(event, ts) {
      const slot = slotOf(event);
      const settled = settle(slot, ts);
      const passed = closedCount(slot, ts);
      const mids = shares(slot, Math.floor(ts / (2 * SECOND_MS)) * 2 * SECOND_MS);
      const lastMids = shares(slot, Math.floor(ts / (7 * MINUTE_MS)) * 7 * MINUTE_MS);
      return mids.map((mid, index): MarketPrice => {
        const hi = slot.variant === 'mention' ? null : ranges(slot)[index]!.hi;
        const isPassed = hi !== null && passed > hi;
        if (!settled && !isPassed) {
          const shown = Math.min(0.9985, Math.max(0.0005, mid));
          const last = Math.min(
            0.999,
            Math.max(event.tick, Math.round(lastMids[index]! / event.tick) * event.tick),
          );
          return {
            mid: shown,
            ...quoteAround(shown, event),
            last: roundTo(last),
            closedTs: null,
            winner: null,
          };
        }
        const wins = settled !== null && isWinner(slot, index, settled.count);
        const closedTs = isPassed ? passedTs(slot, hi, ts) : settled!.settledTs;
        const price = wins ? 1 : 0;
        return {
          mid: price,
          bid: null,
          ask: null,
          last: wins ? 0.999 : 0.001,
          closedTs,
          winner: wins ? 0 : 1,
        };
      });
    },
    uiCount(event, ts) {
      const slot = slotOf(event);
      // Some events show no counter on the page.
      if (slot.variant !== 'count' || slot.family === 'month' || ts < slot.window.startTs) return undefined;
      // The page refreshes every minute and reads an answer that is some minutes old.
      const asofTs =
        Math.floor(ts / MINUTE_MS) * MINUTE_MS -
        Math.round((1 + 3 * chance(seedKey, slot.eventId, 85)) * MINUTE_MS);
      return account(slot.accountId).oracle.countIn(slot.window.startTs, slot.window.endTs, asofTs);
    },
    metadata(event, ts) {
      if (event.kind !== 'count' || ts < event.startTs) return undefined;
      const { monthName, day } = civilDay(slotOf(event).dayNumber);
      return { context_description: `Counting began on ${monthName} ${day}.` };
    },
  };
  return book;
}

/** Oldest entries leave first once the cache is full. */
export function remember<K, V>(cache: Map<K, V>, key: K, value: V, capacity: number): void {
  if (cache.size >= capacity) cache.delete(cache.keys().next().value!);
  cache.set(key, value);
}
