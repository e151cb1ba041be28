// Presents crypto price markets that have not ended.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import { computeSecondsRemaining } from '../../domain/market-event.ts';
import type { CryptoSnapshot } from '../../state/snapshot.ts';

export function presentCrypto(snapshot: CryptoSnapshot | undefined, nowTs: number) {
  const open = (snapshot?.markets ?? []).filter((market) => market.startTs <= nowTs && nowTs < market.endTs);
  const sorted = open.sort((left, right) => left.endTs - right.endTs || left.eventId - right.eventId);
  return { timestamp: nowTs, data: sorted.map((market) => presentMarket(market, nowTs)) };
}

function presentMarket(market: CryptoMarket, nowTs: number) {
  return {
    event_id: market.eventId,
    event_title: market.title,
    image: market.image,
    asset: market.asset,
    market_type: market.marketType,
    interval: market.interval,
    start_ts: market.startTs,
    end_ts: market.endTs,
    seconds_remaining: computeSecondsRemaining(market.endTs, nowTs),
    strike: market.strike,
    reference_price: market.referencePrice,
    reference_source: market.referenceSource,
    tokens: market.tokens.map((token) => ({
      label: token.label,
      token_id: token.tokenId,
      price: token.price,
      best_bid: token.bestBid,
      best_ask: token.bestAsk,
    })),
    volume: market.volumeUsd,
    liquidity: market.liquidityUsd,
    fee_rate: market.feeRate,
  };
}
