// An executor on a fake venue; tests set advice, limits and time.

import { MICRO } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { openJournal } from '../journal/journal.ts';
import type { Advice, AdviceItem } from '../types.ts';
import { type CycleReport, createExecutor } from './cycle.ts';
import { createFakeVenue } from './fake-venue.test-support.ts';
import { type OpportunityRow, toAdvice } from './read-advice.ts';

export const START_TS = Date.UTC(2026, 10, 16, 12);
export const SECOND_MS = 1_000;

export function item(changes: Partial<AdviceItem> = {}): AdviceItem {
  return {
    account: 'account_a',
    eventId: 1,
    bucket: '320-339',
    outcome: 'Yes',
    action: 'BUY',
    tokenId: '11',
    limitPips: 2000,
    targetMicro: 50 * MICRO,
    depthMicro: null,
    gainPerUsd: 0.2,
    probability: 0.3,
    secondsLeft: 7200,
    edgeKind: 'model',
    blockedBy: null,
    ...changes,
  };
}

/** Advice items from one opportunity row. */
export function advise(
  changes: Partial<OpportunityRow>,
  halts: { account: string; reason: string }[] = [],
): AdviceItem[] {
  const row: OpportunityRow = {
    account: 'account_a',
    event_id: 1,
    bucket: '320-339',
    seconds_remaining: 7200,
    belief_prob: 0.3,
    verdict: 'BUY_YES',
    token_id: '11',
    limit_price: 0.2,
    depth_shares: null,
    shares: 50,
    gain_per_usd: 0.2,
    feeds: { own: { stale: false } },
    settlement_delta: 10,
    settlement_risk: 0.25,
    ...changes,
  };
  const answer = { timestamp: START_TS, data: [row], halts };
  return [...toAdvice(answer, { status: 'ok' }, { maxCountLead: 10, maxSettlementRisk: 0.25 }).items];
}

export function openBench(venue = createFakeVenue(), journal = openJournal(':memory:')) {
  const clock = createManualClock(START_TS);
  venue.now = clock.now;
  const bench = {
    venue,
    journal,
    clock,
    items: [item()] as AdviceItem[],
    killedBy: null as string | null,
    isFlattening: false,
    isSilent: false,
    adviceAgeMs: 0,
    blockedBy: null as string | null,
    dayLossUsd: 50,
    totalLossUsd: 1000,
    async turn(afterMs = SECOND_MS, signal?: AbortSignal): Promise<CycleReport> {
      clock.step(afterMs);
      return executor.cycle(signal);
    },
    markChanged: () => executor.markChanged(),
    executor: () => executor,
  };
  const executor = createExecutor({
    venue,
    journal,
    clock,
    logger: silentLogger,
    rules: {
      caps: { orderUsd: 20, eventUsd: 50, accountUsd: 80, dayUsd: 60, totalUsd: 100 },
      minGainPerUsd: 0.05,
      minSecondsLeft: 900,
      minPricePips: 200,
      maxPricePips: 9500,
    },
    limits: {
      get dayLossUsd() {
        return bench.dayLossUsd;
      },
      get totalLossUsd() {
        return bench.totalLossUsd;
      },
    },
    canaryFills: 0,
    async readAdvice(): Promise<Advice> {
      if (bench.isSilent) throw new Error('no answer');
      return { madeTs: clock.now() - bench.adviceAgeMs, items: bench.items, blockedBy: bench.blockedBy };
    },
    readKillSwitch: () => bench.killedBy,
    isFlattening: () => bench.isFlattening,
  });
  return bench;
}

export type Bench = ReturnType<typeof openBench>;

export const live = ({ venue }: Bench) => venue.orders.filter(({ isLive }) => isLive).length;
export const kinds = (report: CycleReport) => report.halts.map(({ kind }) => kind);

/** Fully fills and settles open orders: all of them, or those on one token. */
export function fillAll({ venue, clock }: Bench, tokenId?: string): void {
  for (const order of venue.orders) {
    if (!order.isLive || (tokenId !== undefined && order.tokenId !== tokenId)) continue;
    const usd = (order.sizeMicro * order.pricePips) / 10_000;
    venue.fills.push({
      fillId: `fill ${order.orderId}`,
      orderId: order.orderId,
      tokenId: order.tokenId,
      action: order.action,
      pricePips: order.pricePips,
      sizeMicro: order.sizeMicro,
      isTaker: true,
      status: 'confirmed',
      ts: clock.now(),
    });
    const sign = order.action === 'BUY' ? 1 : -1;
    venue.cash -= sign * usd;
    venue.shares.set(order.tokenId, (venue.shares.get(order.tokenId) ?? 0) + sign * order.sizeMicro);
    order.matchedMicro = order.sizeMicro;
    order.isLive = false;
  }
}

/** A bench that holds what its first order bought. */
export async function openFilledBench(): Promise<Bench> {
  const bench = openBench();
  await bench.turn();
  fillAll(bench);
  return bench;
}
