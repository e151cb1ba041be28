// Price history by token.

import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, readInteger } from './answer.ts';
import { CLOSED_STEP_MINUTES, listPoints, readSpan, refuseLongSpan } from './price-history.ts';

export function createClobHistory(state: SimulatorState) {
  async function pricesHistory(query: URLSearchParams, nowTs: number): Promise<Answer> {
    const tokenId = query.get('market');
    if (!tokenId) return failure(400, { error: 'Invalid token id' });
    const [startS, endS] = ['startTs', 'endTs'].map((name) => readInteger(query.get(name), 0));
    const refusal = refuseLongSpan(startS!, endS!);
    if (refusal) return refusal;
    const span = readSpan(query.get('interval'), startS!, endS!, nowTs);
    const stepMinutes = readInteger(query.get('fidelity'), 1);
    if (stepMinutes < CLOSED_STEP_MINUTES && isClosed(tokenId, nowTs)) return ok({ history: [] });
    return ok({ history: await listPoints(state, tokenId, { ...span, stepMinutes }, nowTs) });
  }

  function isClosed(tokenId: string, nowTs: number): boolean {
    const ref = state.findToken(tokenId, nowTs);
    return ref !== null && ref.book.prices(ref.event, nowTs)[ref.market.index]!.closedTs !== null;
  }

  async function batchHistory(body: unknown, nowTs: number): Promise<Answer> {
    const wanted = body as {
      markets?: string[];
      start_ts?: number;
      end_ts?: number;
      interval?: string;
      fidelity?: number;
    } | null;
    const markets = wanted?.markets ?? [];
    if (markets.length > 20) return failure(400, { error: 'Payload exceeds the limit' });
    const { start_ts = 0, end_ts = 0, interval = null, fidelity = 1 } = wanted ?? {};
    const span = { ...readSpan(interval, start_ts, end_ts, nowTs), stepMinutes: fidelity };
    const entries: [string, unknown][] = [];
    for (const token of markets) entries.push([token, await listPoints(state, token, span, nowTs)]);
    return ok({ history: Object.fromEntries(entries) });
  }

  return { pricesHistory, batchHistory };
}
