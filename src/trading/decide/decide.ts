// Turns advice, books and limits into actions: orders to cancel, orders to place, and advice skipped with a
// reason.

import { maxFeeMicro } from '../../domain/taker-fee.ts';
import { MICRO, usdMicroFor } from '../../domain/units.ts';
import type { Action, AdviceItem, VenueBook } from '../types.ts';
import { type Caps, type Exposure, findRoom } from './caps.ts';

export interface Rules {
  caps: Caps;
  minGainPerUsd: number;
  minSecondsLeft: number;
  minPricePips: number;
  maxPricePips: number;
  /** Places only the smallest orders that the exchange takes, until the first fills have settled. */
  isCanary: boolean;
}

export interface OpenOrder {
  orderId: string;
  tokenId: string;
  action: Action;
  pricePips: number;
  leftMicro: number;
  expiresTs: number;
}

export interface Situation {
  items: readonly AdviceItem[];
  books: ReadonlyMap<string, VenueBook>;
  open: readonly OpenOrder[];
  /** Upper bound on shares held: purchases count once matched, sales once settled. */
  heldMicro(tokenId: string): number;
  /** Settled shares that have not been sold since. */
  sellableMicro(tokenId: string): number;
  exposures: readonly Exposure[];
  spentTodayUsd: number;
  cashMicro: number;
  /** Markets with an order that is not listed but may still be accepted or fill, and its state. */
  unresolved: ReadonlyMap<string, string>;
  /** The exchange's time. */
  nowTs: number;
}

export interface Placement {
  item: AdviceItem;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  isNegRisk: boolean;
  conditionId: string;
  /** The highest fee on top of the price; null if the purchase spends its dollars instead. */
  maxFeeMicro: number | null;
}

export interface Plan {
  cancels: { orderId: string; reason: string }[];
  placements: Placement[];
  /** Advice that is not followed, and why. */
  skipped: { item: AdviceItem; reason: string }[];
}

/** The exchange takes no purchase below a dollar that would trade at once. */
const MIN_CROSSING_MICRO = MICRO;
/** The exchange takes an order off the book up to a minute before its expiry. */
const EXPIRY_THRESHOLD_MS = 60_000;
export const ORDER_LIFE_MS = EXPIRY_THRESHOLD_MS + 60_000;
/** An open order is cancelled this long before its expiry, while the exchange still acknowledges it. */
const RENEW_BEFORE_MS = EXPIRY_THRESHOLD_MS + 10_000;

export function decide(situation: Situation, rules: Rules): Plan {
  const plan: Plan = { cancels: [], placements: [], skipped: [] };
  const exposures = [...situation.exposures];
  let { cashMicro, spentTodayUsd } = situation;
  withdrawStale(situation, plan);
  const cancelled = new Set(plan.cancels.map(({ orderId }) => orderId));
  const leaving = situation.open.filter(({ orderId }) => cancelled.has(orderId));
  // The fills of a cancelled order are known only after it has left the book.
  const leavingTokens = new Set(leaving.map(({ tokenId }) => tokenId));
  const seen = new Set<string>();
  for (const given of situation.items) {
    const book = situation.books.get(given.tokenId);
    const item = book ? raiseToFloor(given, book) : given;
    const size = leavingTokens.has(item.tokenId)
      ? LEAVING
      : sizeFor(item, { ...situation, exposures, cashMicro, spentTodayUsd }, rules, seen);
    if (item.blockedBy === null) seen.add(item.tokenId);
    if (typeof size === 'string' || !book) {
      if (size !== DONE) plan.skipped.push({ item: given, reason: String(size) });
      continue;
    }
    const pricePips = onTick(item, book.tickPips);
    plan.placements.push({
      item,
      action: item.action,
      pricePips,
      sizeMicro: size,
      isNegRisk: book.isNegRisk,
      conditionId: book.conditionId,
      maxFeeMicro: book.contracts ? feeOnTop(size, pricePips, book) : null,
    });
    if (item.action === 'SELL') continue;
    const usdMicro = usdMicroFor(size, pricePips) + feeOnTop(size, pricePips, book);
    exposures.push({ ...item, conditionId: book.conditionId, usd: usdMicro / MICRO });
    spentTodayUsd += usdMicro / MICRO;
    cashMicro -= usdMicro;
  }
  return plan;
}

/** Cancels orders unless advice still supports their price and size. */
function withdrawStale({ items, open, heldMicro, nowTs }: Situation, plan: Plan): void {
  for (const order of open) {
    const item = items.find(({ tokenId, action }) => tokenId === order.tokenId && action === order.action);
    const isExpiring = order.expiresTs - nowTs < RENEW_BEFORE_MS;
    const reason = isExpiring ? 'the order is about to expire' : reasonToWithdraw(order, item, heldMicro);
    if (reason !== null) plan.cancels.push({ orderId: order.orderId, reason });
  }
}

function reasonToWithdraw(
  order: OpenOrder,
  item: AdviceItem | undefined,
  heldMicro: Situation['heldMicro'],
): string | null {
  if (!item) return 'the advice ended';
  if (item.blockedBy !== null) return item.blockedBy;
  const isWorse =
    order.action === 'BUY' ? order.pricePips > item.limitPips : order.pricePips < item.limitPips;
  if (isWorse) return 'the advised limit moved';
  const wanted =
    order.action === 'BUY' ? item.targetMicro - heldMicro(order.tokenId) : heldMicro(order.tokenId);
  return order.leftMicro > wanted ? 'the advised size shrank' : null;
}

const TOO_CHEAP = 'price outside the allowed range';

/** Nothing left to do, so no reason is shown. */
const DONE = '';

const LEAVING = 'an order on this token is being cancelled';

/** Part of the best bid that a sale must get. */
const MIN_SALE_SHARE = 0.9;

/** No advice sells for less than this part of the best bid. */
function raiseToFloor(item: AdviceItem, { bids }: VenueBook): AdviceItem {
  if (item.action === 'BUY') return item;
  return {
    ...item,
    limitPips: Math.max(item.limitPips, Math.ceil(MIN_SALE_SHARE * (bids[0]?.pricePips ?? 0))),
  };
}

/** Shares to order now, or why none are ordered. */
function sizeFor(
  item: AdviceItem,
  situation: Situation,
  rules: Rules,
  seen: ReadonlySet<string>,
): number | string {
  const refusal = checkItem(item, situation, rules, seen);
  if (refusal !== null) return refusal;
  const book = situation.books.get(item.tokenId)!;
  const openMicro = situation.open
    .filter(({ tokenId, action }) => tokenId === item.tokenId && action === item.action)
    .reduce((sum, order) => sum + order.leftMicro, 0);
  const depthMicro = listedDepth(item, book);
  if (item.action === 'SELL') {
    const sellable = Math.min(situation.sellableMicro(item.tokenId), item.targetMicro) - openMicro;
    return atLeastMinimum(floorTo(Math.min(sellable, depthMicro), MICRO / 100), book, sellable);
  }
  const wanted = item.targetMicro - situation.heldMicro(item.tokenId) - openMicro;
  if (wanted < book.minOrderMicro) return DONE;
  return buySize(item, book, Math.min(wanted, depthMicro), situation, rules);
}

function buySize(
  item: AdviceItem,
  book: VenueBook,
  wantedMicro: number,
  situation: Situation,
  rules: Rules,
): number | string {
  const pricePips = onTick(item, book.tickPips);
  const room = findRoom(rules.caps, situation.exposures, situation.spentTodayUsd, {
    ...item,
    conditionId: book.conditionId,
  });
  const smallest = smallestBuy(book, pricePips);
  const smallestMicro = usdMicroFor(smallest, pricePips) + feeOnTop(smallest, pricePips, book);
  const spendMicro = spendFor(wantedMicro, pricePips, book);
  const budgetMicro = Math.min(
    room.usd * MICRO,
    situation.cashMicro,
    rules.isCanary ? smallestMicro : spendMicro,
  );
  const size = sizeWithin(budgetMicro, pricePips, book);
  if (size >= smallest && smallestMicro <= spendMicro) return size;
  if (wantedMicro < book.minOrderMicro) return 'the book offers less than the minimum order';
  if (smallestMicro > spendMicro)
    return `the advised size is below the smallest order that the exchange takes (${(smallestMicro / MICRO).toFixed(2)} USD)`;
  return situation.cashMicro < smallestMicro ? 'not enough cash' : `limit reached: ${room.limit}`;
}

function feeOnTop(sizeMicro: number, pricePips: number, { contracts }: VenueBook): number {
  return contracts ? maxFeeMicro(sizeMicro, pricePips, contracts.fee) : 0;
}

/** Whole shares that the budget pays for, with the fee. */
function sizeWithin(budgetMicro: number, pricePips: number, book: VenueBook): number {
  let size = floorTo((budgetMicro * 10_000) / pricePips, MICRO);
  while (size > 0 && usdMicroFor(size, pricePips) + feeOnTop(size, pricePips, book) > budgetMicro)
    size -= MICRO;
  return size;
}

/** The fewest shares that the exchange takes at this price. */
function smallestBuy(book: VenueBook, pricePips: number): number {
  if (book.contracts) return book.minOrderMicro;
  const crosses = book.asks.some((ask) => ask.pricePips <= pricePips);
  const minUsdMicro = crosses ? MIN_CROSSING_MICRO : 0;
  const shares = Math.ceil((minUsdMicro * 10_000) / pricePips / MICRO) * MICRO;
  return Math.max(book.minOrderMicro, shares);
}

/**
 * Dollars to offer for at most so many shares. A purchase that trades at once spends all its dollars and returns
 * more shares if they are cheaper than the limit.
 */
function spendFor(sizeMicro: number, pricePips: number, book: VenueBook): number {
  if (book.contracts) return usdMicroFor(sizeMicro, pricePips) + feeOnTop(sizeMicro, pricePips, book);
  let [leftMicro, usdMicro] = [sizeMicro, 0];
  for (const ask of book.asks) {
    if (ask.pricePips > pricePips || leftMicro === 0) break;
    const taken = Math.min(leftMicro, ask.sizeMicro);
    usdMicro += usdMicroFor(taken, ask.pricePips);
    leftMicro -= taken;
  }
  return usdMicro + usdMicroFor(leftMicro, pricePips);
}

function checkItem(
  item: AdviceItem,
  situation: Situation,
  rules: Rules,
  seen: ReadonlySet<string>,
): string | null {
  if (item.blockedBy !== null) return item.blockedBy;
  if (seen.has(item.tokenId)) return 'the advice contains this token twice';
  const book = situation.books.get(item.tokenId);
  if (!book) return 'no order book';
  if (book.refusesOrders !== null) return book.refusesOrders;
  if (item.action === 'BUY' && book.refusesBuys !== null) return book.refusesBuys;
  const state = situation.unresolved.get(book.conditionId);
  if (state !== undefined) return `an earlier order in this market is still unresolved (${state})`;
  if (item.action === 'SELL') return item.limitPips < rules.minPricePips ? TOO_CHEAP : null;
  if (holdsOther(book, situation, seen)) return 'the other outcome of this market is held or ordered';
  if (item.gainPerUsd < rules.minGainPerUsd) return 'expected gain below the minimum';
  if (item.secondsLeft < rules.minSecondsLeft) return 'too close to the end';
  if (item.limitPips < rules.minPricePips || item.limitPips > rules.maxPricePips) return TOO_CHEAP;
  return onTick(item, book.tickPips) <= 0 ? 'limit below one tick' : null;
}

function holdsOther({ contracts }: VenueBook, { heldMicro, open }: Situation, seen: ReadonlySet<string>) {
  const other = contracts?.otherTokenId;
  if (other === undefined) return false;
  return seen.has(other) || heldMicro(other) > 0 || open.some(({ tokenId }) => tokenId === other);
}

/** The tick at the advised limit, or the nearest better one. */
function onTick({ action, limitPips }: AdviceItem, tickPips: number): number {
  const ticks = limitPips / tickPips;
  return (action === 'BUY' ? Math.floor(ticks + 1e-9) : Math.ceil(ticks - 1e-9)) * tickPips;
}

function listedDepth(item: AdviceItem, book: VenueBook): number {
  return Math.min(item.depthMicro ?? Number.POSITIVE_INFINITY, depthAt(item, book));
}

/** Size on the opposite side within the limit. */
function depthAt({ action, limitPips }: AdviceItem, book: VenueBook): number {
  const levels = action === 'BUY' ? book.asks : book.bids;
  return levels
    .filter(({ pricePips }) => (action === 'BUY' ? pricePips <= limitPips : pricePips >= limitPips))
    .reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
}

function atLeastMinimum(sizeMicro: number, book: VenueBook, wantedMicro: number): number | string {
  if (sizeMicro >= book.minOrderMicro) return sizeMicro;
  return wantedMicro < book.minOrderMicro ? DONE : 'bids cover less than the minimum order';
}

function floorTo(micro: number, stepMicro: number): number {
  return Math.floor(micro / stepMicro) * stepMicro;
}
