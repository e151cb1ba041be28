// The service's advice over settled simulated events, walked forward at the recorded horizons.

import { profileOfLetter } from '../../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/units.ts';
import { getAccountParameters } from '../../../src/forecast/parameters.ts';
import { createManualClock } from '../../../src/runtime/clock.ts';
import type { LadderSnapshot } from '../../../src/trade/backtest/price-file.ts';
import { type SignalStep, walkSignals } from '../../../src/trade/backtest/signal-walk.ts';
import { PRIOR_EVIDENCE } from '../../../src/trade/edges/prior-evidence.ts';
import { getSizingRules } from '../../../src/trade/sizing/sizing-rules.ts';
import type { CrowdSkill } from '../../simulator/market/crowd.ts';
import type { ListedEvent } from '../../simulator/market/listed-event.ts';
import { createSimulatorState, type SimulatorState } from '../../simulator/simulator-state.ts';

export const ANCHOR_TS = Date.UTC(2025, 0, 1);
export const WARM_UP_DAYS = 120;
export const FEE = { rate: 0.05, exponent: 1 };
const HORIZONS_H = [72, 48, 24, 6];

interface WalkOptions {
  seed: number;
  crowd: CrowdSkill;
  endTs: number;
}

/** Steps of both accounts, by end of their event. */
export function walkSimulator({ seed, crowd, endTs }: WalkOptions): SignalStep[] {
  const state = createSimulatorState({ seed, anchorTs: ANCHOR_TS, clock: createManualClock(endTs), crowd });
  state.now();
  return state.accounts
    .flatMap(({ parameters: { accountId } }) => walkAccount(state, accountId, endTs))
    .sort((a, b) => a.snapshot.window.endTs - b.snapshot.window.endTs);
}

function walkAccount(state: SimulatorState, accountId: string, nowTs: number): SignalStep[] {
  const { ledger } = state.findAccount((one) => one.accountId === accountId)!;
  const posts = ledger.range(ANCHOR_TS, nowTs);
  const events = listSettled(state, accountId, nowTs);
  const finals = new Map(events.map((event) => [`${event.startTs} ${event.endTs}`, event]));
  const plan = {
    history: {
      createdTs: Float64Array.from(posts, (post) => post.createdTs),
      isCounted: Uint8Array.from(posts, (post) => (post.isCounted ? 1 : 0)),
    },
    parameters: getAccountParameters(profileOfLetter(accountId)),
    snapshots: events.flatMap((event) => listLadders(state, event)),
    horizonsH: HORIZONS_H,
    fee: FEE,
    rules: getSizingRules(profileOfLetter(accountId)),
    halfSpread: 0.01,
    prior: PRIOR_EVIDENCE,
    isLearning: true,
    findFinal: ({ startTs, endTs }: { startTs: number; endTs: number }) =>
      state.countEvents.finalCount(
        state.countEvents.slot(finals.get(`${startTs} ${endTs}`)!.eventId)!,
        nowTs,
      ),
  };
  const offset = accountId === 'a' ? 0 : 1e6;
  return [...walkSignals(plan)].map((step) => ({
    ...step,
    eventId: step.eventId + offset,
    signals: step.signals.map((signal) => ({ ...signal, eventId: signal.eventId + offset })),
  }));
}

function listSettled(state: SimulatorState, accountId: string, nowTs: number): ListedEvent[] {
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.accountId === accountId)
    .filter(
      (event) =>
        event.startTs >= ANCHOR_TS + WARM_UP_DAYS * DAY_MS && event.endTs - event.startTs < 10 * DAY_MS,
    )
    .filter((event) => state.countEvents.settledTs(event, nowTs) !== null);
}

/** Books at each horizon, and an hour and a day later for the closing line. */
function listLadders(state: SimulatorState, event: ListedEvent): LadderSnapshot[] {
  const instants = new Set(HORIZONS_H.flatMap((h) => [h, h - 1, h - 24]).filter((h) => h > 0));
  return [...instants]
    .map((hours) => event.endTs - hours * HOUR_MS)
    .filter((ts) => ts >= event.startTs)
    .sort((a, b) => a - b)
    .map((ts) => readLadder(state, event, ts));
}

function readLadder(state: SimulatorState, event: ListedEvent, ts: number): LadderSnapshot {
  const ranges = state.countEvents.ranges(state.countEvents.slot(event.eventId)!);
  const points = state.countEvents.prices(event, ts).map((quote, i) => {
    const { label, lo, hi } = ranges[i]!;
    const price = quote.bid !== null && quote.ask !== null ? (quote.bid + quote.ask) / 2 : quote.last;
    const isClosed = quote.closedTs !== null;
    const size = Math.round(event.depthUsd / Math.max(0.02, price));
    return { label, lo, hi, price: isClosed ? 0 : price, ask: quote.ask ?? 1, bid: quote.bid ?? 0, size };
  });
  return { ts, window: { startTs: event.startTs, endTs: event.endTs }, points };
}
