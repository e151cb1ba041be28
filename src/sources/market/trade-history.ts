// Past trades of an event's markets, from the market's data service. Both outcomes are interleaved, newest
// first; start and end cannot be requested, so reading stops at the window's start.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { PastTrade } from '../../domain/venue-past.ts';
import type { Query } from '../http-transport.ts';
import type { JsonReads } from '../paced-reads.ts';
import { chunk } from '../retry.ts';
import type { FetchPastTrades } from '../source.ts';
import { asArray, asRecord, readFlag, readName, readNumber, readPrice, readText } from '../wire-reader.ts';
import { unexpectedShape } from './wire.ts';

/** Conditions per request. */
const MAX_CONDITIONS = 20;
const PAGE_SIZE = 1_000;
/** Ten times the busiest event. */
const MAX_PAGES = 5_000;

interface Token {
  bucket: number;
  side: PastTrade['side'];
}

export function createTradeHistory(data: JsonReads): FetchPastTrades {
  return async function* (event, untilTs, signal) {
    const tokens = listTokens(event);
    const { startTs } = event.window;
    for (const conditions of chunk(
      event.buckets.map(({ conditionId }) => conditionId),
      MAX_CONDITIONS,
    )) {
      for await (const page of readPages(data, conditions, signal)) {
        const trades = page.flatMap((row) => toTrade(row, tokens));
        yield trades.filter(({ ts }) => ts >= startTs && ts < untilTs);
        if ((page.at(-1)?.ts ?? startTs) < startTs) break;
      }
    }
  };
}

function listTokens({ buckets }: MarketEvent): Map<string, Token> {
  return new Map(
    buckets.flatMap(({ yesTokenId, noTokenId }, bucket): [string, Token][] => [
      [yesTokenId, { bucket, side: 'yes' }],
      [noTokenId, { bucket, side: 'no' }],
    ]),
  );
}

async function* readPages(
  data: JsonReads,
  conditions: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<TradeWire[]> {
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Query = { condition: conditions.join(','), limit: PAGE_SIZE, cursor };
    const { rows, nextCursor } = readTradePage(await data.getJson('/v2/trades', query, signal));
    yield rows;
    if (nextCursor === null) return;
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  throw unexpectedShape("the trades' cursor");
}

/** Trades of combinations list other tokens and are skipped. */
function toTrade({ tokenId, ...trade }: TradeWire, tokens: ReadonlyMap<string, Token>): PastTrade[] {
  const token = tokens.get(tokenId);
  return token ? [{ ...token, ...trade }] : [];
}

type TradeWire = Pick<PastTrade, 'ts' | 'taker' | 'price' | 'shares'> & { tokenId: string };

/** Drops unreadable rows. If no row of a non-empty page is readable, the format has changed. */
function readTradePage(value: unknown): { rows: TradeWire[]; nextCursor: string | null } {
  const envelope = asRecord(value) ?? {};
  const pagination = asRecord(envelope.pagination) ?? {};
  const list = envelope.data === null ? [] : asArray(envelope.data);
  const rows = list?.flatMap(readTrade);
  if (!list || !rows || (rows.length === 0 && list.length > 0)) throw unexpectedShape('the list of trades');
  const nextCursor = readName(pagination, 'next_cursor');
  return { rows, nextCursor: readFlag(pagination, 'has_more') === false ? null : nextCursor };
}

function readTrade(value: unknown): TradeWire[] {
  const row = asRecord(value);
  if (!row) return [];
  const [tokenId, taker] = [readName(row, 'token_id'), readText(row, 'side')?.toLowerCase()];
  const [second, price, shares] = [
    readNumber(row, 'timestamp'),
    readPrice(row, 'price'),
    readNumber(row, 'size'),
  ];
  if (!tokenId || (taker !== 'buy' && taker !== 'sell') || price === null) return [];
  if (second === null || !(second > 0) || shares === null || !(shares > 0)) return [];
  return [{ tokenId, ts: Math.round(second * 1_000), taker, price, shares }];
}
