// Orders and fills in Kalshi's form: one book of Yes per market, where a purchase of No is an offer of Yes. Our own
// id of an order carries what it was for, so that an order is understood without our journal.

import { randomBytes } from 'node:crypto';
import { MICRO, PIPS } from '../../../domain/units.ts';
import { tokenIdOf } from '../../../sources/kalshi/parse.ts';
import type { Action, Fill, OrderRequest, VenueOrder } from '../../types.ts';
import { type AnswerFields, readFields, readFlag, readMicro, readPips, readText } from '../answer-fields.ts';

export type Side = 'yes' | 'no';

interface Purpose {
  side: Side;
  action: Action;
}

const PURPOSES: readonly Purpose[] = [
  { side: 'yes', action: 'BUY' },
  { side: 'yes', action: 'SELL' },
  { side: 'no', action: 'BUY' },
  { side: 'no', action: 'SELL' },
];

/** A UUID of version 8: when it was made, what for, and random bits. */
const CLIENT_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-3])[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function makeClientId({ side, action }: Purpose, nowTs: number): string {
  const time = Math.round(nowTs).toString(16).padStart(12, '0');
  const random = randomBytes(9).toString('hex');
  const purpose = PURPOSES.findIndex((one) => one.side === side && one.action === action);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${purpose}${random.slice(0, 2)}-8${random.slice(2, 5)}-${random.slice(5, 17)}`;
}

/** null for an order that this program did not make. */
export function readClientId(id: string): (Purpose & { madeTs: number }) | null {
  const [, high = '', low = '', purpose = ''] = CLIENT_ID.exec(id) ?? [];
  const found = PURPOSES[Number(purpose)];
  return high === '' || !found ? null : { ...found, madeTs: Number.parseInt(high + low, 16) };
}

export function splitToken(tokenId: string): { ticker: string; side: Side } {
  const [, ticker, side] = /^kalshi:([\w.-]+):(yes|no)$/.exec(tokenId) ?? [];
  if (ticker === undefined) throw new Error(`${tokenId} is not a token of Kalshi`);
  return { ticker, side: side as Side };
}

/** Buying No at a price is offering Yes at its complement. */
function inYes({ side, action }: Purpose, pricePips: number): { side: 'bid' | 'ask'; yesPips: number } {
  return {
    side: (action === 'BUY') === (side === 'yes') ? 'bid' : 'ask',
    yesPips: side === 'yes' ? pricePips : PIPS - pricePips,
  };
}

export function toOrderBody(
  { tokenId, action, pricePips, sizeMicro, expiresTs }: OrderRequest,
  nowTs: number,
) {
  const { ticker, side } = splitToken(tokenId);
  const placed = inYes({ side, action }, pricePips);
  return {
    ticker,
    client_order_id: makeClientId({ side, action }, nowTs),
    side: placed.side,
    count: (sizeMicro / MICRO).toFixed(2),
    price: (placed.yesPips / PIPS).toFixed(4),
    time_in_force: 'good_till_canceled',
    // The exchange has no heartbeats: an order that outlives its trader ends by itself.
    expiration_time: Math.floor(expiresTs / 1_000),
    self_trade_prevention_type: 'taker_at_cross',
    cancel_order_on_pause: true,
  };
}

export interface KalshiOrder extends VenueOrder {
  /** The exchange's own id. */
  exchangeId: string;
  ticker: string;
}

/** Under our own id; an order of somebody else keeps theirs. */
export function readKalshiOrder(value: unknown): KalshiOrder {
  const order = readFields(value, 'order');
  const exchangeId = readText(order, 'order_id');
  const ticker = readText(order, 'ticker');
  const clientId = typeof order.client_order_id === 'string' ? order.client_order_id : '';
  const filledMicro = readMicro(order, 'fill_count_fp');
  return {
    exchangeId,
    ticker,
    orderId: readClientId(clientId) ? clientId : exchangeId,
    ...readDirection(order, ticker, clientId),
    sizeMicro: readMicro(order, 'initial_count_fp'),
    matchedMicro: filledMicro,
    isLive: readText(order, 'status') === 'resting',
  };
}

/** An order on the other side of the book than its id says is shown as the exchange has it. */
function readDirection(fields: AnswerFields, ticker: string, clientId: string) {
  const bookSide = readText(fields, 'book_side');
  const meant = readClientId(clientId);
  const isMeant = meant !== null && inYes(meant, 0).side === bookSide;
  const seen: Purpose = { side: bookSide === 'bid' ? 'yes' : 'no', action: 'BUY' };
  const { side, action } = isMeant ? meant : seen;
  return { tokenId: tokenIdOf(ticker, side), action, pricePips: readPips(fields, `${side}_price_dollars`) };
}

/** Final as soon as it is matched. */
export function readKalshiFill(value: unknown, orderId: string): Fill {
  const fill = readFields(value, 'fill');
  return {
    fillId: readText(fill, 'fill_id'),
    orderId,
    ...readDirection(fill, readText(fill, 'ticker'), orderId),
    sizeMicro: readMicro(fill, 'count_fp'),
    statedFeeMicro: readMicro(fill, 'fee_cost'),
    isTaker: readFlag(fill, 'is_taker'),
    status: 'confirmed',
    ts: readTime(fill),
  };
}

function readTime(fill: AnswerFields): number {
  const ts = Date.parse(String(fill.created_time ?? ''));
  if (Number.isNaN(ts)) throw new Error('exchange: created_time is missing or unreadable');
  return ts;
}
