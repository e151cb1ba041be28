// Paper bets of rules under test as stored records, and their results.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { ForecastPoint, Settlement, Store, TrialBetRecord } from '../../store/ports.ts';
import { toPricedBucket } from '../../trade/backtest/past-ladder.ts';
import { roundMicros } from '../../trade/decimal.ts';
import {
  type LadderMoment,
  type RuleBet,
  type RuleUnderTest,
  slotAt,
  toMoment,
} from '../../trade/rules/rule.ts';
import { computeBetPnl } from '../../trade/rules/trial.ts';
import type { PricedBucket } from '../../trade/types.ts';

/** A registered rule. */
export interface RunningRule {
  rule: RuleUnderTest;
  hash: string;
  registeredTs: number;
}

/** Only events on the account's first venue: another venue's event on the same posts adds no outcome. */
export function isTested(event: MarketEvent, { registeredTs }: Pick<RunningRule, 'registeredTs'>): boolean {
  return !event.terms && event.window.startTs > registeredTs;
}

export function toBetRecord(
  bet: RuleBet,
  hash: string,
  event: MarketEvent,
  moment: { slot: number; ts: number; isRecomputed: boolean },
): TrialBetRecord {
  const { eventId, accountId, window } = event;
  return {
    ruleHash: hash,
    ...{ eventId, accountId, endTs: window.endTs },
    ...{ bucketLabel: bet.bucketLabel, side: bet.side },
    ...{ slot: moment.slot, asofTs: moment.ts, isRecomputed: moment.isRecomputed },
    price: roundMicros(bet.price),
    spreadCost: roundMicros(bet.spreadCost),
    said: roundMicros(bet.said),
    ...{ won: null, pnl: null, settledTs: null },
  };
}

type Result = Pick<Settlement, 'winningLabel' | 'settledTs'>;

export function settleTrialBet(bet: TrialBetRecord, { winningLabel, settledTs }: Result): TrialBetRecord {
  const hasHit = bet.bucketLabel === winningLabel;
  const won = bet.side === 'No' ? !hasHit : hasHit;
  return { ...bet, won, pnl: roundMicros(computeBetPnl(bet, won)), settledTs };
}

export async function settleTrialBets(
  { trials }: Pick<Store, 'trials'>,
  { eventId }: MarketEvent,
  result: Result,
): Promise<void> {
  const bets = await trials.listBets({ eventId });
  if (bets.length > 0) await trials.settleBets(bets.map((bet) => settleTrialBet(bet, result)));
}

/** Half-spread assumed for past prices, which have no book. */
export const ASSUMED_HALF_SPREAD = 0.01;

/** A past ladder from a stored forecast with prices. */
function recallMoment({ window, buckets }: MarketEvent, point: ForecastPoint): LadderMoment {
  const { startTs, endTs } = window;
  const { asofTs, bucketProbabilities, marketPrices } = point;
  const priced = buckets.map((bucket, i): PricedBucket => {
    const price = marketPrices[i] ?? null;
    const terms = { ...bucket, modelProbability: bucketProbabilities[i] ?? 0 };
    if (price === null) return { ...terms, isOpen: false, marketPrice: null, yesQuote: null, noQuote: null };
    const assumed = { fee: bucket.fee, halfSpread: ASSUMED_HALF_SPREAD };
    const { label, lo, hi } = bucket;
    const past = toPricedBucket(
      { label, lo, hi, price, ask: null, bid: null, size: null },
      0,
      assumed,
      asofTs,
    );
    return { ...past, ...terms, isOpen: past.isOpen };
  });
  const moment = toMoment({ startTs, endTs, buckets: priced }, asofTs);
  return { ...moment, mids: priced.map(({ marketPrice }) => marketPrice) };
}

/** What a rule would have bet in a settled event, from forecasts stored with prices; one look per day. */
export function recomputeBets(
  { rule, hash }: RunningRule,
  event: MarketEvent,
  points: readonly ForecastPoint[],
  settlement: Result,
): TrialBetRecord[] {
  const bySlot = new Map<number, ForecastPoint>();
  for (const point of points) {
    const slot = slotAt(rule, point.asofTs);
    const isPriced = point.marketPrices.some((price) => price !== null);
    if (slot !== null && isPriced && !bySlot.has(slot)) bySlot.set(slot, point);
  }
  return [...bySlot].flatMap(([slot, point]) =>
    rule
      .findBets(recallMoment(event, point))
      .map((bet) => toBetRecord(bet, hash, event, { slot, ts: point.asofTs, isRecomputed: true }))
      .map((bet) => settleTrialBet(bet, settlement)),
  );
}
