// Endpoint 3: crypto price markets that have not ended.

import { envelope, MaybeNumber, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { CryptoMarket } from '../../domain/crypto-market.ts';
import { computeSecondsRemaining } from '../../domain/market-event.ts';
import type { CryptoSnapshot } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { recordOf } from '../records/record.ts';

interface CryptoSource {
  market: CryptoMarket;
  nowTs: number;
}

const Token = recordOf<CryptoMarket['tokens'][number]>()({
  label: [Type.String(), ({ label }) => label],
  token_id: [Type.String(), ({ tokenId }) => tokenId],
  price: [MaybeNumber, ({ price }) => price],
  best_bid: [MaybeNumber, ({ bestBid }) => bestBid],
  best_ask: [MaybeNumber, ({ bestAsk }) => bestAsk],
});

const CryptoRecord = recordOf<CryptoSource>('CryptoRecord')({
  event_id: [Type.Integer(), ({ market }) => market.eventId],
  event_title: [Type.String(), ({ market }) => market.title],
  image: [Type.String(), ({ market }) => market.image],
  asset: [Type.String(), ({ market }) => market.asset],
  market_type: [Type.Enum(['updown', 'above', 'range', 'touch']), ({ market }) => market.marketType],
  interval: [Type.String(), ({ market }) => market.interval],
  start_ts: [Ts, ({ market }) => market.startTs],
  end_ts: [Ts, ({ market }) => market.endTs],
  seconds_remaining: [Type.Integer(), ({ market, nowTs }) => computeSecondsRemaining(market.endTs, nowTs)],
  strike: [MaybeNumber, ({ market }) => market.strike],
  reference_price: [MaybeNumber, () => null],
  reference_source: [Type.Union([Type.String(), Type.Null()]), ({ market }) => market.referenceSource],
  tokens: [Type.Array(Token.schema), ({ market }) => market.tokens.map(Token.present)],
  volume: [Type.Number(), ({ market }) => market.volumeUsd],
  liquidity: [Type.Number(), ({ market }) => market.liquidityUsd],
  fee_rate: [Type.Number(), ({ market }) => market.feeRate],
});

function presentCrypto(snapshot: CryptoSnapshot | undefined, nowTs: number) {
  const open = (snapshot?.markets ?? []).filter((market) => market.startTs <= nowTs && nowTs < market.endTs);
  const sorted = open.sort((left, right) => left.endTs - right.endTs || left.eventId - right.eventId);
  return { timestamp: nowTs, data: sorted.map((market) => CryptoRecord.present({ market, nowTs })) };
}

export function cryptoRoutes(context: RouteContext): Route[] {
  const prepare = createPreparedView({
    version: () => context.board.findCrypto(),
    present: (nowTs) => presentCrypto(context.board.findCrypto(), nowTs),
  });
  return [
    defineRoute({
      path: `${API_PREFIX}/meta/crypto`,
      document: {
        operationId: 'getCryptoMeta',
        tag: 'Meta',
        summary: 'Metadata for crypto price markets',
        ok: envelope('CryptoAnswer', CryptoRecord.schema),
      },
      handle: ({ nowTs }) => prepare(nowTs),
    }),
  ];
}
