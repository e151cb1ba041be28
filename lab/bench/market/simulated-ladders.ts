// Simulated weekly ladders with the model's walk-forward forecasts.

import type { CrowdSkill } from '../../../simulator/market/crowd.ts';
import type { ListedEvent } from '../../../simulator/market/listed-event.ts';
import { createSimulatorState, type SimulatorState } from '../../../simulator/simulator-state.ts';
import { profileOfLetter } from '../../../src/domain/account-profile.ts';
import { DAY_MS } from '../../../src/domain/units.ts';
import { walkForward } from '../../../src/forecast/backtest/walk-forward.ts';
import { bucketProbabilities } from '../../../src/forecast/distribution/distribution.ts';
import { getAccountParameters } from '../../../src/forecast/parameters.ts';
import { createManualClock } from '../../../src/runtime/clock.ts';
import type { ScoredLadder } from './ladder-statistics.ts';

export interface SimulatedLadder extends ScoredLadder {
  /** Median forecast: busy weeks have wider ladders. */
  expectedCount: number;
}

const ANCHOR_TS = Date.UTC(2025, 0, 1);
const WARM_UP_DAYS = 120;

export function listSimulatedLadders(
  seed: number,
  crowd: CrowdSkill,
  accountId: string,
  weeks: number,
  leadsHours: readonly number[],
): SimulatedLadder[] {
  const endTs = ANCHOR_TS + (WARM_UP_DAYS + 7 * weeks + 9) * DAY_MS;
  const state = createSimulatorState({ seed, anchorTs: ANCHOR_TS, clock: createManualClock(endTs), crowd });
  state.now();
  const events = new Map(
    listWeeks(state, accountId, endTs).map((event) => [`${event.startTs} ${event.endTs}`, event]),
  );
  const posts = state.findAccount((one) => one.accountId === accountId)!.ledger.range(ANCHOR_TS, endTs);
  const walk = walkForward({
    history: {
      createdTs: Float64Array.from(posts, (post) => post.createdTs),
      isCounted: Uint8Array.from(posts, (post) => (post.isCounted ? 1 : 0)),
    },
    parameters: getAccountParameters(profileOfLetter(accountId)),
    windows: [...events.values()].map(({ startTs, endTs: until }) => ({ startTs, endTs: until })),
    leadsHours,
    withOthers: false,
  });
  return [...walk].map(({ window, asofTs, leadHours, countSoFar, forecast }) => {
    const event = events.get(`${window.startTs} ${window.endTs}`)!;
    const slot = state.countEvents.slot(event.eventId)!;
    const ranges = state.countEvents.ranges(slot);
    const final = state.countEvents.finalCount(slot, endTs)!;
    return {
      leadHours,
      expectedCount: forecast.p50,
      model: Array.from(bucketProbabilities(forecast.distribution, ranges, countSoFar)),
      prices: state.countEvents.prices(event, asofTs).map(({ mid }) => mid),
      winner: ranges.findIndex(({ lo, hi }) => final >= lo && (hi === null || final <= hi)),
    };
  });
}

function listWeeks(state: SimulatorState, accountId: string, nowTs: number): ListedEvent[] {
  return state.countEvents
    .list(nowTs)
    .filter(
      (event) =>
        event.kind === 'count' &&
        event.accountId === accountId &&
        Math.round((event.endTs - event.startTs) / DAY_MS) === 7 &&
        event.startTs >= ANCHOR_TS + WARM_UP_DAYS * DAY_MS &&
        state.countEvents.settledTs(event, nowTs) !== null,
    );
}
