// Count events with recorded ladders: listed, priced and settled as they were.

import { DAY_MS } from '../../src/domain/units.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { civilDay, easternDayNumber, easternMidnightTs } from '../eastern-time.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { CountFamily } from '../ladders.ts';
import type { CountEvents } from '../market/count-events.ts';
import { listEvent, listMarkets } from '../market/count-listing.ts';
import type { ListedEvent, ListedMarket, MarketPrice, PricePoint } from '../market/listed-event.ts';
import { quoteAround } from '../market/quotes.ts';
import type { OracleBook } from '../oracle/oracle-book.ts';
import { type RecordedLadder, type RecordedPast, SETTLED_AFTER_MS } from './recorded-past.ts';

interface RecordedEvent {
  slot: CountSlot;
  ladder: RecordedLadder;
  event: ListedEvent;
  markets: readonly ListedMarket[];
}

/** Where a price is not recorded. */
const UNKNOWN_PRICE = 0.0005;
const LISTED_BEFORE_MS = 3 * DAY_MS;
const IDS_PER_DAY = 16;

export function createRecordedEvents(
  seedKey: number,
  { accountId, ladders }: RecordedPast,
  parameters: SimulatorAccountParameters,
  oracle: OracleBook,
): CountEvents {
  const slots = listSlots(accountId, ladders);
  const events = ladders.map((ladder, i): RecordedEvent => {
    const event: ListedEvent = { ...listEvent(seedKey, parameters, slots[i]!), version: 'v1' };
    const labels = ladder.ranges.map(({ label }) => label);
    return { slot: slots[i]!, ladder, event, markets: listMarkets(seedKey, parameters, event, labels) };
  });
  events.sort((left, right) => left.slot.listedTs - right.slot.listedTs);
  const byId = new Map(events.map((one) => [one.slot.eventId, one]));
  const of = ({ eventId }: { eventId: number }) => byId.get(eventId)!;
  const listedBy = (nowTs: number) => events.filter(({ slot }) => slot.listedTs <= nowTs);

  function settledTs({ ladder }: RecordedEvent, nowTs: number): number | null {
    const ts = ladder.window.endTs + SETTLED_AFTER_MS;
    return ladder.outcome !== null && ts <= nowTs ? ts : null;
  }

  return {
    slotsListedBy: (nowTs) => listedBy(nowTs).map(({ slot }) => slot),
    slot: (eventId) => byId.get(eventId)?.slot ?? null,
    ranges: (slot) => of(slot).ladder.ranges,
    finalCount: (slot, nowTs) =>
      settledTs(of(slot), nowTs) === null ? null : of(slot).ladder.outcome!.finalCount,
    paidLabel(slot, nowTs) {
      const { ladder } = of(slot);
      return settledTs(of(slot), nowTs) === null ? null : ladder.ranges[ladder.outcome!.winner]!.label;
    },
    list: (nowTs) => listedBy(nowTs).map(({ event }) => event),
    find(eventId, nowTs) {
      const found = byId.get(eventId);
      return found && found.slot.listedTs <= nowTs ? found.event : null;
    },
    markets: (event) => of(event).markets,
    settledTs: (event, nowTs) => settledTs(of(event), nowTs),
    prices(event, ts) {
      const closedTs = settledTs(of(event), ts);
      const { ladder } = of(event);
      return ladder.ranges.map((_, index) =>
        closedTs === null
          ? openPrice(event, priceAt(ladder.points[index]!, ts))
          : closedPrice(closedTs, index === ladder.outcome!.winner),
      );
    },
    recordedPoints: (event, index) => of(event).ladder.points[index] ?? [],
    uiCount: (event, ts) => (ts < event.startTs ? undefined : oracle.countIn(event.startTs, event.endTs, ts)),
    metadata: () => undefined,
  };
}

/** Several ladders may start on the same day. */
function listSlots(accountId: string, ladders: readonly RecordedLadder[]): CountSlot[] {
  const used = new Map<number, number>();
  return ladders.map(({ window, points }) => {
    const dayNumber = easternDayNumber(window.startTs);
    const place = used.get(dayNumber) ?? 0;
    used.set(dayNumber, place + 1);
    const firstPriceTs = Math.min(...points.flatMap(([first]) => first?.ts ?? []));
    return {
      eventId: dayNumber * IDS_PER_DAY + place,
      dayNumber,
      accountId,
      family: familyOf(window.startTs, window.endTs),
      variant: 'count',
      window,
      listedTs: Math.min(window.startTs - LISTED_BEFORE_MS, firstPriceTs),
    };
  });
}

function familyOf(startTs: number, endTs: number): CountFamily {
  const dayNumber = easternDayNumber(startTs);
  const days = (endTs - startTs) / DAY_MS;
  const isMonth = civilDay(dayNumber).day === 1 && startTs === easternMidnightTs(dayNumber) && days > 27;
  return isMonth ? 'month' : days < 3 ? '2d' : '7d';
}

function priceAt(points: readonly PricePoint[], ts: number): number {
  return points.findLast((point) => point.ts <= ts)?.price ?? points[0]?.price ?? UNKNOWN_PRICE;
}

function openPrice(event: ListedEvent, mid: number): MarketPrice {
  return { mid, ...quoteAround(mid, event), last: Math.max(event.tick, mid), closedTs: null, winner: null };
}

function closedPrice(closedTs: number, wins: boolean): MarketPrice {
  const last = wins ? 0.999 : 0.001;
  return { mid: wins ? 1 : 0, bid: null, ask: null, last, closedTs, winner: wins ? 0 : 1 };
}
