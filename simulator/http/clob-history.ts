// Price history by token.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, readInteger } from './answer.ts';
import { type HistorySpan, listPoints, MAX_SPAN_S, readSpan } from './price-history.ts';

/** Finest step for closed markets. */
const CLOSED_STEP_MS = 12 * HOUR_MS;

export function createClobHistory(state: SimulatorState) {
  async function pricesHistory(query: URLSearchParams, nowTs: number): Promise<Answer> {
    const tokenId = query.get('market');
    // Under the data API's name for it, the token is ignored and the list is empty.
    if (!tokenId && query.has('token_id')) return ok({ history: [] });
    if (!tokenId) return failure(400, { error: 'Invalid token id' });
    const [startS, endS] = ['startTs', 'endTs'].map((name) => readInteger(query.get(name), 0));
    if (startS! > 0 && endS! - startS! > MAX_SPAN_S)
      return failure(400, { error: "invalid filters: 'startTs' and 'endTs' interval is too long" });
    const span = readSpan(query.get('interval'), startS!, endS!, nowTs);
    const stepMs = readInteger(query.get('fidelity'), 1) * MINUTE_MS;
    return ok({ history: await history(tokenId, { ...span, stepMs }, nowTs) });
  }

  async function history(tokenId: string, span: HistorySpan, nowTs: number) {
    const ref = state.findToken(tokenId, nowTs);
    if (!ref || (span.stepMs < CLOSED_STEP_MS && isClosed(ref, nowTs))) return [];
    const points = await listPoints(state, ref, span, nowTs);
    return points.map(({ ts, price }) => ({ t: Math.floor(ts / SECOND_MS), p: price }));
  }

  function isClosed(ref: MarketRef, nowTs: number): boolean {
    return ref.book.prices(ref.event, nowTs)[ref.market.index]!.closedTs !== null;
  }

  return { pricesHistory };
}
