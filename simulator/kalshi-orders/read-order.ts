// Parses a version 2 order: one book with bids and asks for Yes, decimal strings.

import { MICRO, toPips } from '../../src/domain/units.ts';
import type { OrderType } from '../exchange/matching/execute.ts';
import type { BookSide } from '../exchange/matching/order-book.ts';
import { KALSHI_TICK } from '../kalshi/venue.ts';

export interface AskedOrder {
  ticker: string;
  clientOrderId: string | null;
  side: BookSide;
  yesPips: number;
  sizeMicro: number;
  type: OrderType;
  expiresTs: number | null;
  isPostOnly: boolean;
  selfTradePrevention: string;
}

/** Sent with the venue's status and code, which clients parse. */
export class OrderRefused extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: string | undefined;

  constructor(status: number, code: string, details?: string) {
    super(code.replaceAll('_', ' '));
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const TYPES: Readonly<Record<string, OrderType>> = {
  good_till_canceled: 'GTC',
  fill_or_kill: 'FOK',
  immediate_or_cancel: 'FAK',
};
const PREVENTIONS = ['taker_at_cross', 'maker'];
const COUNT = /^\d{1,9}(?:\.\d{1,2})?$/;
const PRICE = /^0?\.\d{2,4}$/;

export function readOrder(body: unknown, nowTs: number): AskedOrder {
  const given = (body ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof given[name] === 'string' ? (given[name] as string) : '');
  const side = text('side');
  if (side !== 'bid' && side !== 'ask') throw invalid('side must be bid or ask');
  if (!PREVENTIONS.includes(text('self_trade_prevention_type')))
    throw invalid('invalid self_trade_prevention_type');
  const type = TYPES[text('time_in_force')];
  if (!type) throw invalid('invalid time_in_force');
  const expiresTs = readExpiry(given.expiration_time, type, nowTs);
  return {
    ticker: text('ticker'),
    clientOrderId: text('client_order_id') || null,
    side,
    yesPips: readPrice(text('price')),
    sizeMicro: readCount(text('count')),
    type: expiresTs === null ? type : 'GTD',
    expiresTs,
    isPostOnly: given.post_only === true,
    selfTradePrevention: text('self_trade_prevention_type'),
  };
}

function readCount(text: string): number {
  const sizeMicro = COUNT.test(text) ? Math.round(Number(text) * MICRO) : 0;
  if (sizeMicro <= 0) throw invalid('invalid count');
  return sizeMicro;
}

function readPrice(text: string): number {
  const pips = PRICE.test(text) ? toPips(Number(text)) : 0;
  if (pips <= 0 || pips % toPips(KALSHI_TICK) !== 0) throw invalid('invalid price');
  return pips;
}

/** Only resting orders expire. */
function readExpiry(given: unknown, type: OrderType, nowTs: number): number | null {
  if (given === undefined || given === null) return null;
  const expiresTs = typeof given === 'number' ? given * 1_000 : Number.NaN;
  if (type !== 'GTC' || !(expiresTs > nowTs)) throw invalid('invalid expiration_time');
  return expiresTs;
}

function invalid(details: string): OrderRefused {
  return new OrderRefused(400, 'invalid_order', details);
}
