// The parts of the exchange's responses that we read, and their conversion. Unreadable parts throw.

import type { Print } from '../../paper/fill-model.ts';
import type { Action, Fill, FillStatus, MarketTerms, VenueBook, VenueOrder } from '../../types.ts';
import {
  type AnswerFields,
  readAction,
  readAmount,
  readFields,
  readFlag,
  readList,
  readMicro,
  readPips,
  readPositive,
  readText,
  readWholeMicro,
} from '../answer-fields.ts';

export function readOrder(value: unknown): VenueOrder {
  const order = readFields(value, 'order');
  const readSize = sizeReader(order, 'ORDER_STATUS_');
  return {
    orderId: readText(order, 'id'),
    tokenId: readText(order, 'asset_id'),
    action: readAction(order, 'side'),
    pricePips: readPips(order, 'price'),
    sizeMicro: readSize(order, 'original_size'),
    matchedMicro: readSize(order, 'size_matched'),
    isLive: !ENDED.test(readText(order, 'status')),
  };
}

/** The documented form has long status names and amounts in millionths; the other one has plain shares. */
function sizeReader(answer: AnswerFields, prefix: string): typeof readMicro {
  return readText(answer, 'status').startsWith(prefix) ? readWholeMicro : readMicro;
}

/** Any other status, such as DELAYED, means that the order may still fill. */
const ENDED = /^(ORDER_STATUS_)?(MATCHED|INVALID|EXPIRED|CANCELL?ED(_.*)?)$/i;

/** Ids of the orders that the exchange says it cancelled. */
export function readCancelled(value: unknown): string[] {
  return readList(readFields(value, 'cancellation').canceled, 'canceled').map(String);
}

const STATUSES: ReadonlyMap<string, FillStatus> = new Map([
  ['MATCHED', 'provisional'],
  ['MATCHED_NOT_BROADCASTED', 'provisional'],
  ['RETRYING', 'provisional'],
  ['MINED', 'confirmed'],
  ['CONFIRMED', 'confirmed'],
  ['FAILED', 'failed'],
]);

/** One fill per own order in the trade, whether as taker or as one of the makers. */
export function readFills(value: unknown, apiKey: string): Fill[] {
  const trade = readFields(value, 'trade');
  const tradeId = readText(trade, 'id');
  const readSize = sizeReader(trade, 'TRADE_STATUS_');
  const shared = {
    status:
      STATUSES.get(readText(trade, 'status').toUpperCase().replace('TRADE_STATUS_', '')) ?? 'provisional',
    ts: readAmount(trade, 'match_time') * 1000,
  };
  const toFill = (order: AnswerFields, orderIdKey: string, sizeKey: string, isTaker: boolean): Fill => {
    const orderId = readText(order, orderIdKey);
    return {
      fillId: `${tradeId} ${orderId}`,
      orderId,
      tokenId: readText(order, 'asset_id'),
      action: isTaker ? readAction(order, 'side') : readMakerAction(order, trade),
      pricePips: readPips(order, 'price'),
      sizeMicro: readSize(order, sizeKey),
      isTaker,
      ...shared,
    };
  };
  const isTaker = readText(trade, 'trader_side') === 'TAKER';
  const taken = isTaker ? [toFill(trade, 'taker_order_id', 'size', true)] : [];
  const own = readMakers(trade).filter(({ owner }) => owner === apiKey);
  return [...taken, ...own.map((maker) => toFill(maker, 'order_id', 'matched_amount', false))];
}

function readMakers(trade: AnswerFields): AnswerFields[] {
  return readList(trade.maker_orders, 'maker_orders').map((maker) => readFields(maker, 'maker_orders'));
}

/** A maker in the same token takes the opposite side; in the complement, the same side (mint or merge). */
function readMakerAction(maker: AnswerFields, trade: AnswerFields): Action {
  if (maker.side !== undefined && maker.side !== null) return readAction(maker, 'side');
  const takerAction = readAction(trade, 'side');
  if (readText(maker, 'asset_id') !== readText(trade, 'asset_id')) return takerAction;
  return takerAction === 'BUY' ? 'SELL' : 'BUY';
}

/** The exchange lists the worst level first. */
export function readBook(value: unknown): VenueBook {
  const book = readFields(value, 'book');
  return {
    tokenId: readText(book, 'asset_id'),
    conditionId: readText(book, 'market'),
    bids: readLevels(book, 'bids').reverse(),
    asks: readLevels(book, 'asks').reverse(),
    tickPips: readPositive(book, 'tick_size', readPips),
    minOrderMicro: readPositive(book, 'min_order_size', readMicro),
    isNegRisk: readFlag(book, 'neg_risk'),
    refusesOrders: null,
    refusesBuys: null,
  };
}

function readLevels(book: AnswerFields, key: 'bids' | 'asks'): { pricePips: number; sizeMicro: number }[] {
  return readList(book[key], key).map((value) => {
    const level = readFields(value, key);
    return { pricePips: readPips(level, 'price'), sizeMicro: readMicro(level, 'size') };
  });
}

/** A public trade; null for any other message. */
export function readPrint(value: unknown): Print | null {
  const message = readFields(value, 'message');
  if (message.event_type !== 'last_trade_price') return null;
  return {
    tokenId: readText(message, 'asset_id'),
    ts: readAmount(message, 'timestamp'),
    pricePips: readPips(message, 'price'),
    sizeMicro: readMicro(message, 'size'),
    takerAction: readAction(message, 'side'),
  };
}

export interface Page {
  items: readonly unknown[];
  nextCursor: string;
}

export function readPage(value: unknown): Page {
  const page = readFields(value, 'page');
  return { items: readList(page.data, 'data'), nextCursor: readText(page, 'next_cursor') };
}

// A market's fees, and whether the market is decided.

/** `get` requests a path from the exchange and throws if there is no response. */
export async function readTerms(
  get: (path: string) => Promise<unknown>,
  tokenId: string,
  feePaidIn: MarketTerms['feePaidIn'],
): Promise<MarketTerms> {
  const owner = readFields(await get(`/markets-by-token/${tokenId}`), 'token market');
  const conditionId = readText(owner, 'condition_id');
  const [info, market] = await Promise.all([
    get(`/clob-markets/${conditionId}`),
    get(`/markets/${conditionId}`),
  ]);
  const { closed, tokens } = readMarket(market);
  return { conditionId, fee: readFee(info), feePaidIn, isClosed: closed, winningTokenId: findWinner(tokens) };
}

function readMarket(value: unknown): { closed: boolean; tokens: AnswerFields[] } {
  const market = readFields(value, 'market');
  const tokens = readList(market.tokens, 'tokens').map((token) => readFields(token, 'tokens'));
  return { closed: readFlag(market, 'closed'), tokens };
}

function findWinner(tokens: readonly AnswerFields[]): string | null {
  const winner = tokens.find((token) => token.winner === true);
  return winner ? readText(winner, 'token_id') : null;
}

/** A market without fees has no `fd`. */
function readFee(value: unknown): MarketTerms['fee'] {
  const { fd } = readFields(value, 'market fees');
  if (fd === undefined || fd === null) return { rate: 0, exponent: 0 };
  const fee = readFields(fd, 'fd');
  return { rate: readAmount(fee, 'r'), exponent: readAmount(fee, 'e') };
}
