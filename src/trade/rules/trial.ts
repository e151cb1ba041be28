// Results of a rule under test, and the decision of its trial.

import { DAY_MS } from '../../domain/units.ts';
import { normalQuantile } from '../../forecast/numeric/special-functions.ts';
import { type Interval, intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import { createRandom } from '../../runtime/random.ts';

/** A recorded bet; `won` and `pnl` are null until the event settles. */
export interface TrialBet {
  eventId: number;
  /** End of the event's window. */
  endTs: number;
  price: number;
  spreadCost: number;
  said: number;
  won: boolean | null;
  /** Profit per share after costs. */
  pnl: number | null;
}

export interface TrialResult {
  bets: number;
  events: number;
  /** Mean stated probability, midpoint of the bought side, and share won; null without settled bets. */
  said: number | null;
  price: number | null;
  came: number | null;
  /** Profit per share in USD after costs, and its 90 % interval by event; the interval needs 3 events. */
  gain: number | null;
  gainInterval: Interval | null;
}

type SettledBet = TrialBet & { won: boolean; pnl: number };

const RESAMPLES = 1_000;
const MIN_EVENTS = 3;
/** Fixed, so that the same bets always lead to the same decision. */
const SEED = 1;

/** Profit of one share bought at `price` plus costs. */
export function computeBetPnl(
  { price, spreadCost }: Pick<TrialBet, 'price' | 'spreadCost'>,
  won: boolean,
): number {
  return (won ? 1 : 0) - price - spreadCost;
}

export function summariseBets(bets: readonly TrialBet[]): TrialResult {
  const settled = bets.filter((bet): bet is SettledBet => bet.won !== null && bet.pnl !== null);
  const events = groupByEvent(settled);
  const mean = (pick: (bet: SettledBet) => number) =>
    settled.length === 0 ? null : settled.reduce((sum, bet) => sum + pick(bet), 0) / settled.length;
  return {
    bets: settled.length,
    events: events.length,
    said: mean(({ said }) => said),
    price: mean(({ price }) => price),
    came: mean(({ won }) => (won ? 1 : 0)),
    gain: mean(({ pnl }) => pnl),
    gainInterval: events.length < MIN_EVENTS ? null : resampleGain(events),
  };
}

interface EventGain {
  bets: number;
  pnl: number;
}

function groupByEvent(settled: readonly SettledBet[]): EventGain[] {
  return [...Map.groupBy(settled, ({ eventId }) => eventId).values()].map((own) => ({
    bets: own.length,
    pnl: own.reduce((sum, { pnl }) => sum + pnl, 0),
  }));
}

function resampleGain(events: readonly EventGain[]): Interval {
  const gains = resampleBlocks(events.length, 1, RESAMPLES, createRandom(SEED), (indexes) => {
    let bets = 0;
    let pnl = 0;
    for (const i of indexes) {
      bets += events[i]!.bets;
      pnl += events[i]!.pnl;
    }
    return pnl / bets;
  });
  return intervalOf(gains);
}

/** An event that has not settled by then no longer holds up the trial. */
const MAX_SETTLING_MS = 30 * DAY_MS;

export interface Judgement {
  status: 'running' | 'passed' | 'failed';
  /** Of the events that decide the trial, as far as they have settled. */
  result: TrialResult;
}

/** `bets`: of events that began after registration. */
export function judgeTrial(bets: readonly TrialBet[], eventsNeeded: number, nowTs: number): Judgement {
  const events = [...Map.groupBy(bets, ({ eventId }) => eventId).values()]
    .filter((own) => isSettled(own) || own[0]!.endTs + MAX_SETTLING_MS > nowTs)
    .sort(([left], [right]) => left!.endTs - right!.endTs || left!.eventId - right!.eventId)
    .slice(0, eventsNeeded);
  const result = summariseBets(events.flat());
  if (events.length < eventsNeeded || !events.every(isSettled)) return { status: 'running', result };
  return { status: (result.gainInterval?.lo ?? 0) > 0 ? 'passed' : 'failed', result };
}

function isSettled(own: readonly TrialBet[]): boolean {
  return own.every(({ pnl }) => pnl !== null);
}

const POWER = 0.8;
const LEVEL = 0.95;

/** Events at which a gain like that of `bets` would be proven with 80 % power; null without a gain. */
export function countEventsForPower(bets: readonly TrialBet[]): number | null {
  const { gain, bets: count, events: size } = summariseBets(bets);
  if (gain === null || gain <= 0 || size < MIN_EVENTS) return null;
  const events = groupByEvent(bets.filter((bet): bet is SettledBet => bet.pnl !== null && bet.won !== null));
  const squares = events.reduce((sum, event) => sum + (event.pnl - gain * event.bets) ** 2, 0);
  const sd = Math.sqrt(squares / (size - 1)) / (count / size);
  return Math.ceil((((normalQuantile(LEVEL) + normalQuantile(POWER)) * sd) / gain) ** 2);
}
