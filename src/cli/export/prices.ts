// Quotes for order-book tokens as stored: every change in recent days, one quote per hour before that.

import type { MarketBucket, MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import { type Dataset, listScopeEvents, type Row, readPages } from './dataset.ts';

const PAGE_ROWS = 5_000;

export const pricesDataset: Dataset = {
  columns: {
    account_id: 'text',
    event_id: 'integer',
    bucket: 'text',
    side: 'text',
    observed_ts: 'time',
    bid: 'number',
    ask: 'number',
    bid_shares: 'number',
    ask_shares: 'number',
    last_trade_price: 'number',
    market_price: 'number',
    token_id: 'text',
  },
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      for (const { bucket, side, tokenId } of listTokens(event)) {
        const pages = readPages<Quote>(PAGE_ROWS, (last) =>
          store.quotes.listRange(tokenId, {
            fromTs: last ? last.observedTs + 1 : fromTs,
            untilTs,
            limit: PAGE_ROWS,
          }),
        );
        for await (const page of pages) yield page.map((quote) => toRow(event, bucket, side, quote));
      }
    }
  },
};

function listTokens({ buckets }: MarketEvent) {
  return buckets.flatMap((bucket) => [
    { bucket, side: 'yes', tokenId: bucket.yesTokenId },
    { bucket, side: 'no', tokenId: bucket.noTokenId },
  ]);
}

function toRow(event: MarketEvent, bucket: MarketBucket, side: string, quote: Quote): Row {
  return [
    event.accountId,
    event.eventId,
    bucket.label,
    side,
    quote.observedTs,
    quote.bid,
    quote.ask,
    quote.bidShares,
    quote.askShares,
    quote.lastTradePrice,
    computeMarketPrice(quote, null),
    quote.tokenId,
  ];
}
