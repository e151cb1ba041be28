// What settled events say about a rule, and whether it may advise on the venue and account where they were.

import type { RuleEvidence, RuleResult } from '../../domain/standing-advice.ts';
import { DAY_MS } from '../../domain/units.ts';
import { type Interval, intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import { createRandom } from '../../runtime/random.ts';
import type { RuleBet } from './rule.ts';

/** A rule's bet on a settled event. */
export interface SettledBet extends RuleBet {
  eventId: number;
  /** End of the event's window. */
  endTs: number;
  won: boolean;
}

const RESAMPLES = 1_000;
/** Fewer have no interval. */
const MIN_EVENTS = 3;
/** Fixed, so that the same bets always lead to the same decision. */
const SEED = 1;

export function summariseBets(bets: readonly SettledBet[]): RuleResult {
  const events = [...Map.groupBy(bets, ({ eventId }) => eventId).values()];
  const mean = (pick: (bet: SettledBet) => number) =>
    bets.length === 0 ? null : bets.reduce((sum, bet) => sum + pick(bet), 0) / bets.length;
  return {
    bets: bets.length,
    events: events.length,
    said: mean(({ said }) => said),
    price: mean(({ price }) => price),
    came: mean(({ won }) => (won ? 1 : 0)),
    gain: mean(gainOf),
    gainInterval: events.length < MIN_EVENTS ? null : resampleGain(events),
  };
}

/** Profit of one share after costs. */
function gainOf({ price, spreadCost, won }: SettledBet): number {
  return (won ? 1 : 0) - price - spreadCost;
}

function resampleGain(events: readonly (readonly SettledBet[])[]): Interval {
  const gains = events.map((own) => own.reduce((sum, bet) => sum + gainOf(bet), 0));
  const draws = resampleBlocks(events.length, 1, RESAMPLES, createRandom(SEED), (indexes) => {
    let bets = 0;
    let gain = 0;
    for (const i of indexes) {
      bets += events[i]!.length;
      gain += gains[i]!;
    }
    return gain / bets;
  });
  return intervalOf(draws);
}

/** The least evidence on which a rule may advise. */
const EVENTS_NEEDED = 20;
const WEEKS_NEEDED = 8;

/** `bets`: one rule's, on settled events of one account and venue that it was not chosen on. */
export function judgeRule(
  bets: readonly (SettledBet & { isRecomputed: boolean })[],
): Omit<RuleEvidence, 'rule' | 'venue'> {
  const { events, gainInterval } = summariseBets(bets);
  const weeks = new Set(bets.map(({ endTs }) => Math.floor(endTs / (7 * DAY_MS)))).size;
  const gainLow = gainInterval?.lo ?? null;
  return {
    recomputed: summariseBets(bets.filter(({ isRecomputed }) => isRecomputed)),
    forward: summariseBets(bets.filter(({ isRecomputed }) => !isRecomputed)),
    ...{ events, weeks, gainLow },
    mayAdvise: events >= EVENTS_NEEDED && weeks >= WEEKS_NEEDED && gainLow !== null && gainLow > 0,
  };
}
