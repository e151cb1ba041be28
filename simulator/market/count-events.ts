// Count events of all accounts: main events and decoys.

import { DAY_MS, MINUTE_MS } from '../../src/domain/units.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { chance, hashNumbers } from '../chance.ts';
import { civilDay } from '../eastern-time.ts';
import { type CountSlot, createEventCalendar } from '../event-calendar.ts';
import { ADD_ON_WEEK, type LabelledRange, ladderFor } from '../ladders.ts';
import type { OracleBook } from '../oracle/oracle-book.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { stateFactor } from '../posts/rate-path.ts';
import { listEvent, listMarkets } from './count-listing.ts';
import { createCountSettlement } from './count-settlement.ts';
import { createCountShares, MENTION_WORDS } from './count-shares.ts';
import { rememberLatest } from './latest-prices.ts';
import type { EventBook, ListedEvent, ListedMarket, MarketPrice } from './listed-event.ts';
import { quoteAround, roundTo } from './quotes.ts';
import { countedShare } from './remaining-count.ts';
import { remember } from './remember.ts';

export interface CountAccount {
  ledger: PostLedger;
  oracle: OracleBook;
}

export interface CountEventsOptions {
  seedKey: number;
  anchorTs: number;
  accounts: readonly CountAccount[];
}

export interface CountEvents extends EventBook {
  slotsListedBy(nowTs: number): readonly CountSlot[];
  slot(eventId: number): CountSlot | null;
  ranges(slot: CountSlot): readonly LabelledRange[];
  /** The oracle count that decided the event; null while open. */
  finalCount(slot: CountSlot, nowTs: number): number | null;
  /** Label of the winning bucket; null while open. */
  paidLabel(slot: CountSlot, nowTs: number): string | null;
}

const EARLY_CLOSE_DELAY_MS = 20 * MINUTE_MS;
/** More than are open and recently settled. */
const CACHED_EVENTS_PER_ACCOUNT = 40;

export function createCountEvents(options: CountEventsOptions): CountEvents {
  const { seedKey } = options;
  const byId = new Map(options.accounts.map((entry) => [entry.ledger.parameters.accountId, entry]));
  const account = (accountId: string): CountAccount => byId.get(accountId)!;
  const calendar = createEventCalendar(
    hashNumbers(seedKey, 0xca1),
    options.anchorTs,
    options.accounts.map(({ ledger }) => ledger.parameters),
  );
  const listedCache = new Map<number, ListedEvent>();
  const marketCache = new Map<number, readonly ListedMarket[]>();
  const ranges = (slot: CountSlot) => rangesOf(slot, account(slot.accountId).ledger);
  const shares = createCountShares(seedKey, (slot) => account(slot.accountId).ledger, ranges);
  const { settle, importTimes, isWinner, paidIndex } = createCountSettlement({
    seedKey,
    oracleOf: (slot) => account(slot.accountId).oracle,
    ranges,
  });

  function parametersOf(slot: CountSlot): SimulatorAccountParameters {
    return account(slot.accountId).ledger.parameters;
  }

  function listed(slot: CountSlot): ListedEvent {
    const known = listedCache.get(slot.eventId);
    if (known) return known;
    const event = listEvent(seedKey, parametersOf(slot), slot);
    listedCache.set(slot.eventId, event);
    return event;
  }

  let list: { slots: readonly CountSlot[]; events: readonly ListedEvent[] } = { slots: [], events: [] };

  function slotOf(event: ListedEvent): CountSlot {
    return calendar.find(event.eventId)!;
  }

  function priceEvent(event: ListedEvent, ts: number): MarketPrice[] {
    const slot = slotOf(event);
    const settled = settle(slot, ts);
    const isMention = slot.variant === 'mention';
    const buckets: readonly { hi: number | null }[] = isMention
      ? MENTION_WORDS.map(() => ({ hi: null }))
      : ranges(slot);
    const noticedTs = ts - EARLY_CLOSE_DELAY_MS;
    const imports = slot.variant === 'archived' || isMention ? [] : importTimes(slot, noticedTs);
    const mids = settled ? [] : shares(slot, ts);
    const lastMids = settled ? [] : shares(slot, floorTo(ts, 7 * MINUTE_MS));
    return buckets.map(({ hi }, index): MarketPrice => {
      // A bucket closes early once the count has passed its upper bound.
      const passedTs = hi === null ? undefined : imports[hi];
      if (!settled && passedTs === undefined) return openPrice(event, mids[index]!, lastMids[index]!);
      const wins = settled !== null && isWinner(slot, index, settled);
      const closedTs = passedTs === undefined ? settled!.settledTs : passedTs + EARLY_CLOSE_DELAY_MS;
      const last = wins ? 0.999 : 0.001;
      return { mid: wins ? 1 : 0, bid: null, ask: null, last, closedTs, winner: wins ? 0 : 1 };
    });
  }

  const book: CountEvents = {
    slotsListedBy: calendar.listedBy,
    slot: calendar.find,
    ranges,
    finalCount: (slot, nowTs) => settle(slot, nowTs)?.count ?? null,
    paidLabel(slot, nowTs) {
      const settled = settle(slot, nowTs);
      return settled && ranges(slot)[paidIndex(slot, settled)]!.label;
    },
    list(nowTs) {
      const slots = calendar.listedBy(nowTs);
      if (list.slots !== slots) list = { slots, events: slots.map(listed) };
      return list.events;
    },
    find(eventId, nowTs) {
      const slot = calendar.find(eventId);
      return slot && slot.listedTs <= nowTs ? listed(slot) : null;
    },
    markets(event) {
      const known = marketCache.get(event.eventId);
      if (known) return known;
      const slot = slotOf(event);
      const labels = slot.variant === 'mention' ? MENTION_WORDS : ranges(slot).map((range) => range.label);
      const markets = listMarkets(seedKey, parametersOf(slot), event, labels);
      remember(marketCache, event.eventId, markets, CACHED_EVENTS_PER_ACCOUNT * byId.size);
      return markets;
    },
    settledTs: (event, nowTs) => settle(slotOf(event), nowTs)?.settledTs ?? null,
    prices: rememberLatest(
      priceEvent,
      CACHED_EVENTS_PER_ACCOUNT * byId.size,
      (event) => parametersOf(slotOf(event)).priceStepMs,
    ),
    uiCount(event, ts) {
      const slot = slotOf(event);
      return shownCount(slot, account(slot.accountId).oracle, seedKey, ts);
    },
    metadata(event, ts) {
      if (event.kind !== 'count' || ts < event.startTs) return undefined;
      const { monthName, day } = civilDay(slotOf(event).dayNumber);
      return { context_description: `Counting began on ${monthName} ${day}.` };
    },
  };
  return book;
}

function rangesOf(slot: CountSlot, ledger: PostLedger): readonly LabelledRange[] {
  if (slot.variant === 'add-on') return ADD_ON_WEEK;
  const days = (slot.window.endTs - slot.window.startTs) / DAY_MS;
  const level = stateFactor(ledger.parameters, ledger.process.path.stateAt(slot.listedTs));
  return ladderFor(
    ledger.parameters.hasWideLadders,
    slot.family,
    days * ledger.parameters.postsPerDay * countedShare(ledger.parameters) * level,
  );
}

/** Some events show no counter on the page. */
function shownCount(slot: CountSlot, oracle: OracleBook, seedKey: number, ts: number): number | undefined {
  const { startTs, endTs } = slot.window;
  if (slot.variant !== 'count' || slot.family === 'month' || ts < startTs) return undefined;
  // The page refreshes every minute and shows a value some minutes old.
  const lagMs = Math.round((1 + 3 * chance(seedKey, slot.eventId, 85)) * MINUTE_MS);
  return oracle.countIn(startTs, endTs, floorTo(ts, MINUTE_MS) - lagMs);
}

function openPrice(event: ListedEvent, mid: number, lastMid: number): MarketPrice {
  const shown = Math.min(0.9985, Math.max(0.0005, mid));
  const last = Math.min(0.999, Math.max(event.tick, Math.round(lastMid / event.tick) * event.tick));
  return { mid: shown, ...quoteAround(shown, event), last: roundTo(last), closedTs: null, winner: null };
}

function floorTo(ts: number, stepMs: number): number {
  return Math.floor(ts / stepMs) * stepMs;
}
