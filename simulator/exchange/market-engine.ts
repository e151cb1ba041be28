// One market: users' orders and the crowd's quotes on one book, plus the crowd's trades over time.

import { type CrowdTrade, listCrowdTrades } from './crowd/crowd-flow.ts';
import { type CrowdQuote, createDepletion, planCrowd } from './crowd/plan-crowd.ts';
import { type Execution, execute, type Incoming } from './matching/execute.ts';
import { type BookLevel, type BookOrder, type BookSide, createOrderBook } from './matching/order-book.ts';

/** A match; a null id means the crowd. */
export interface EngineFill {
  ts: number;
  takerId: string | null;
  takerSide: BookSide;
  makerId: string | null;
  pricePips: number;
  sizeMicro: number;
}

export interface MarketEngine {
  /** Simulates the crowd up to a time. */
  catchUp(nowTs: number): void;
  submit(id: string, incoming: Incoming, nowTs: number): Execution;
  remove(id: string): void;
  levels(side: BookSide): BookLevel[];
  hasUserOrders(): boolean;
  /** Whether the book contains only the crowd's quotes. */
  isUntouched(nowTs: number): boolean;
}

export interface MarketEngineOptions {
  key: number;
  startTs: number;
  tradesPerHour(): number;
  quote(ts: number): CrowdQuote;
  /** All fills of one taker, best price first. */
  onFills(fills: readonly EngineFill[]): void;
}

const HALF_LIFE_MS = 5 * 60_000;
/** How far a crowd market order may walk the book. */
const FLOW_REACH_PIPS = 300;
/** Without user orders, activity older than this has no effect. */
const IDLE_MS = 10 * 60_000;

export function createMarketEngine(options: MarketEngineOptions): MarketEngine {
  const book = createOrderBook();
  const depletion = createDepletion(HALF_LIFE_MS);
  const userIds = new Set<string>();
  let crowdNumber = 0;
  let playedTs = options.startTs;

  function run(takerId: string | null, incoming: Incoming, ts: number): Execution {
    const execution = execute(book, incoming);
    const fills = execution.matches.map((match): EngineFill => {
      const isUser = userIds.has(match.makerId);
      const makerSide = incoming.side === 'bid' ? 'ask' : 'bid';
      if (!isUser) depletion.note(makerSide, match.pricePips, match.sizeMicro, ts);
      book.reduce(match.makerId, match.sizeMicro);
      if (isUser && !book.find(match.makerId)) userIds.delete(match.makerId);
      const makerId = isUser ? match.makerId : null;
      return { ts, takerId, takerSide: incoming.side, ...match, makerId };
    });
    if (fills.length > 0) options.onFills(fills);
    return execution;
  }

  function runCrowd(incoming: Omit<Incoming, 'isPostOnly'>, ts: number): void {
    const { restMicro, matches } = run(null, { ...incoming, isPostOnly: false }, ts);
    // A quote that trades immediately is depleted like one taken later.
    if (incoming.type === 'GTC')
      for (const { sizeMicro } of matches) depletion.note(incoming.side, incoming.limitPips, sizeMicro, ts);
    if (restMicro === 0) return;
    const id = `crowd:${crowdNumber++}`;
    book.add({ id, side: incoming.side, pricePips: incoming.limitPips, openMicro: restMicro });
  }

  function refresh(ts: number): void {
    const change = planCrowd(options.quote(ts), depletion, ts, listCrowdOrders);
    for (const { id, byMicro } of change.cancels) book.reduce(id, byMicro);
    for (const { side, pricePips, sizeMicro } of change.placements)
      runCrowd({ side, limitPips: pricePips, sizeMicro, type: 'GTC' }, ts);
  }

  function listCrowdOrders(side: BookSide): Map<number, BookOrder[]> {
    const levels = book.prices(side).map((pricePips) => {
      const orders = book.ordersAt(side, pricePips).filter(({ id }) => !userIds.has(id));
      return [pricePips, orders] as const;
    });
    return new Map(levels);
  }

  function takeFlow({ ts, takes, sizeMicro }: CrowdTrade): void {
    refresh(ts);
    const best = book.levels(takes)[0]?.pricePips;
    if (best === undefined) return;
    const limitPips = takes === 'ask' ? best + FLOW_REACH_PIPS : best - FLOW_REACH_PIPS;
    runCrowd({ side: takes === 'ask' ? 'bid' : 'ask', limitPips, sizeMicro, type: 'FAK' }, ts);
  }

  return {
    catchUp(nowTs) {
      if (nowTs <= playedTs) return;
      const fromTs = userIds.size > 0 ? playedTs : Math.max(playedTs, nowTs - IDLE_MS);
      for (const trade of listCrowdTrades(options.key, options.tradesPerHour(), fromTs, nowTs))
        takeFlow(trade);
      refresh(nowTs);
      playedTs = nowTs;
    },
    submit(id, incoming, nowTs) {
      refresh(nowTs);
      const execution = run(id, incoming, nowTs);
      if (execution.restMicro > 0) {
        userIds.add(id);
        book.add({ id, side: incoming.side, pricePips: incoming.limitPips, openMicro: execution.restMicro });
      }
      return execution;
    },
    remove(id) {
      userIds.delete(id);
      book.reduce(id);
    },
    levels: (side) => book.levels(side),
    hasUserOrders: () => userIds.size > 0,
    isUntouched: (nowTs) => userIds.size === 0 && depletion.isEmpty(nowTs),
  };
}
