// Quotes for order-book tokens as stored: every change in recent days, one quote per hour before that.

import { computeMarketPrice, type Quote } from '../../domain/book.ts';
import type { MarketBucket, MarketEvent } from '../../domain/market-event.ts';
import { type Dataset, listScopeEvents, readPages, tableOf } from './dataset.ts';

const PAGE_ROWS = 5_000;

const TABLE = tableOf<{ event: MarketEvent; bucket: MarketBucket; side: string; quote: Quote }>({
  account_id: ['text', ({ event }) => event.accountId],
  event_id: ['integer', ({ event }) => event.eventId],
  bucket: ['text', ({ bucket }) => bucket.label],
  side: ['text', ({ side }) => side],
  observed_ts: ['time', ({ quote }) => quote.observedTs],
  bid: ['number', ({ quote }) => quote.bid],
  ask: ['number', ({ quote }) => quote.ask],
  bid_shares: ['number', ({ quote }) => quote.bidShares],
  ask_shares: ['number', ({ quote }) => quote.askShares],
  last_trade_price: ['number', ({ quote }) => quote.lastTradePrice],
  market_price: ['number', ({ quote }) => computeMarketPrice(quote, null)],
  token_id: ['text', ({ quote }) => quote.tokenId],
});

export const pricesDataset: Dataset = {
  columns: TABLE.columns,
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
        for await (const page of pages)
          yield page.map((quote) => TABLE.toRow({ event, bucket, side, quote }));
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
