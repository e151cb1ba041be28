// Price ladder of each active event: every bucket with book, cost, edge and target size.

import { envelope, MaybeNumber } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Adviser } from '../../trade/advice/adviser.ts';
import { buildLadder, type LadderRow } from '../../trade/advice/ladder.ts';
import type { RouteContext } from '../context.ts';
import { isKnownEvent, unknownEvent } from '../find-event.ts';
import { createPreparedViews } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { AdviceRecord, BankrollParameter } from '../records/advice.ts';
import { type EventSource, eventRows, feedRows, findState, nextBoundaryTs } from '../records/events.ts';
import { cents, maybeSix, recordOf, six } from '../records/record.ts';

const LadderQuery = Type.Object({
  event_id: Type.Optional(Type.Integer({ description: 'Only this event; default: all active events' })),
  bankroll: Type.Optional(BankrollParameter),
});

const RowRecord = recordOf<LadderRow>()({
  bucket: [Type.String(), ({ bucketLabel }) => bucketLabel],
  low: [Type.Integer(), ({ lo }) => lo],
  high: [Type.Union([Type.Integer(), Type.Null()]), ({ hi }) => hi],
  token_id: [Type.String(), ({ tokenId }) => tokenId],
  model_prob: six(({ modelProbability }: LadderRow) => modelProbability),
  market_price: [MaybeNumber, ({ marketPrice }) => marketPrice],
  bid: [MaybeNumber, ({ bid }) => bid],
  ask: [MaybeNumber, ({ ask }) => ask],
  bid_shares: [{ ...MaybeNumber, description: 'Shares at the best bid' }, ({ bidShares }) => bidShares],
  ask_shares: [{ ...MaybeNumber, description: 'Shares at the best ask' }, ({ askShares }) => askShares],
  fee_per_share: maybeSix(({ feePerShare }: LadderRow) => feePerShare),
  cost_per_share: maybeSix(({ costPerShare }: LadderRow) => costPerShare),
  edge: maybeSix(({ edge }: LadderRow) => edge),
  edge_percent: maybeSix(({ edgePercent }: LadderRow) => edgePercent),
  ev: six(({ ev }: LadderRow) => ev),
  kelly_fraction: six(({ kellyFraction }: LadderRow) => kellyFraction),
  target_shares: cents(({ targetShares }: LadderRow) => targetShares),
  target_value: cents(({ targetUsd }: LadderRow) => targetUsd),
  action: [Type.Enum(['BUY', 'SELL', 'HOLD', 'SKIP']), ({ action }) => action],
  belief_prob: six(({ blendedProbability }: LadderRow) => blendedProbability),
  advice: [AdviceRecord.schema, (signal) => AdviceRecord.present({ signal })],
  reasons: [Type.Array(Type.String()), ({ reasons }) => [...reasons]],
});

interface LadderSource extends EventSource {
  bankrollUsd: number;
  rows: readonly LadderRow[];
}

export const LadderRecord = recordOf<LadderSource>('LadderRecord')({
  ...eventRows,
  bankroll: [Type.Number(), ({ bankrollUsd }) => bankrollUsd],
  ...feedRows,
  rows: [Type.Array(RowRecord.schema), ({ rows }) => rows.map(RowRecord.present)],
});

interface Request {
  bankrollUsd: number;
  eventId: number | undefined;
  nowTs: number;
}

function presentLadders(
  adviser: Adviser,
  snapshot: AccountSnapshot | undefined,
  { bankrollUsd, eventId: onlyEventId, nowTs }: Request,
) {
  if (!snapshot) return { timestamp: nowTs, data: [] };
  // Sized together with the other events, so that the bankroll is not allocated twice.
  const advice = adviser.advise(snapshot, bankrollUsd, nowTs);
  const data = adviser
    .price(snapshot, nowTs)
    .filter(({ eventId }) => onlyEventId === undefined || eventId === onlyEventId)
    .map((event) => {
      const signals = advice.find(({ eventId }) => eventId === event.eventId)?.signals ?? [];
      const state = findState(snapshot, event.eventId);
      return LadderRecord.present({ snapshot, state, bankrollUsd, rows: buildLadder(event, signals), nowTs });
    });
  return { timestamp: nowTs, data };
}

export function ladderRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
    const views = createPreparedViews<ReturnType<typeof presentLadders>>();
    return defineRoute({
      path: `${API_PREFIX}/signals/${account.segment}/ladder`,
      access: 'PRO',
      isPayable: true,
      query: LadderQuery,
      document: {
        operationId: `getLadder_${account.segment}`,
        tag: 'Signals',
        summary: `Price ladder for the active events of ${account.segment}`,
        ok: envelope('LadderAnswer', LadderRecord.schema),
        also: [404],
      },
      async handle({ query, nowTs }) {
        const { event_id: eventId } = query;
        if (eventId !== undefined && !(await isKnownEvent(context, account.accountId, eventId)))
          throw unknownEvent(account, eventId);
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const version = [snapshot, nextBoundaryTs(snapshot, nowTs)];
        return views.get(`${bankrollUsd} ${eventId}`, version, nowTs, () =>
          presentLadders(adviser, snapshot, { bankrollUsd, eventId, nowTs }),
        );
      },
    });
  });
}
