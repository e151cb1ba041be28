// The market's resolution records: one row per condition, payouts in millionths per share of each outcome.

import { MINUTE_MS } from '../../src/domain/units.ts';
import { canonicalConditionId, makeHex } from '../platform-ids.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type Answer, ok, toIso } from './answer.ts';
import { refuse } from './data-answer.ts';

const MAX_VALUES = 20;
const ONE_SHARE = 1_000_000;

export function resolutionsOf(state: SimulatorState, query: URLSearchParams, nowTs: number): Answer {
  const selectors = ['question_id', 'condition', 'event_id'].filter((name) => query.has(name));
  if (selectors.length !== 1) return refuse(400, 'supply one of question_id, condition, event_id');
  const values = [...new Set(query.get(selectors[0]!)!.split(',').filter(Boolean))];
  if (values.length > MAX_VALUES) return refuse(400, `at most ${MAX_VALUES} values`, selectors[0]);
  const refs =
    selectors[0] === 'event_id'
      ? values.flatMap((id) => marketsOf(state, Number(id), nowTs))
      : values.flatMap((id) => state.findCondition(id, nowTs) ?? []);
  return ok({ data: refs.flatMap((ref) => toRow(state, ref, nowTs)) });
}

function marketsOf(state: SimulatorState, eventId: number, nowTs: number): MarketRef[] {
  for (const book of [state.countEvents, state.cryptoEvents]) {
    const event = book.find(eventId, nowTs);
    if (event) return book.markets(event).map((market) => ({ book, event, market, side: 0 }));
  }
  return [];
}

/** Nothing before the window ends; proposed until it settles, then resolved. */
function toRow(state: SimulatorState, ref: MarketRef, nowTs: number): Record<string, unknown>[] {
  const { closedTs, winner } = ref.book.prices(ref.event, nowTs)[ref.market.index]!;
  if (closedTs === null && nowTs < ref.event.endTs) return [];
  const isResolved = closedTs !== null && winner !== null;
  const changedTs = closedTs ?? ref.event.endTs + MINUTE_MS;
  return [
    {
      condition_id: canonicalConditionId(ref.market.conditionId),
      status: isResolved ? 'resolved' : 'proposed',
      extended_review: false,
      was_disputed: false,
      new_version_q: false,
      transaction_hash: `0x${makeHex(state.seedKey, ref.market.marketId ^ 0x7e, 64)}`,
      log_index: '12',
      last_update_timestamp: Math.floor(changedTs / 1000),
      market_type: ref.event.isNegRisk ? 'INCREMENTAL_NEGRISK' : 'BINARY',
      was_arbitrated: false,
      ...(isResolved
        ? {
            payouts: winner === 0 ? [ONE_SHARE, 0] : [0, ONE_SHARE],
            resolution_source: 'reported',
            reporter: ref.event.accountId === null ? 'CHAINLINK' : 'UMA_OO',
            resolved_block: 80_000_000 + Math.floor(changedTs / 2_000_000),
            resolved_at: toIso(changedTs),
          }
        : {}),
    },
  ];
}
