// Turns a signed payload into an order on the book, or a rejection.

import { feeUsdMicro } from '../../../src/domain/taker-fee.ts';
import { MICRO, usdMicroFor } from '../../../src/domain/units.ts';
import { exchangeFor } from '../../../src/trading/venue/polymarket/signing/contracts.ts';
import { hashOrder } from '../../../src/trading/venue/polymarket/signing/order-typed-data.ts';
import type { KeyRecord } from '../auth/credentials.ts';
import { refuseSigner } from '../auth/order-signature.ts';
import type { ExchangeContext } from '../context.ts';
import type { Placement, Ticket } from '../exchange.ts';
import type { Refusal } from '../matching/execute.ts';
import { USD } from '../settling/ledger.ts';
import type { ExchangeMarket } from '../types.ts';
import { type OrderPayload, OrderRefusal, priceOrder, readExpiry, readPayload } from './read-order.ts';

const REFUSALS: Record<Exclude<Refusal, 'below-a-dollar'>, string> = {
  'post-only-crosses': 'invalid post-only order: order crosses book',
  'fok-not-filled': "order couldn't be fully filled. FOK orders are fully filled or killed.",
  'fak-no-match':
    'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
};

/** Throws an OrderRefusal. */
export async function placeOrder(
  context: ExchangeContext,
  key: KeyRecord,
  body: unknown,
): Promise<Placement> {
  const payload = readPayload(body);
  if (payload.owner !== key.apiKey)
    throw new OrderRefusal('the order owner has to be the owner of the API KEY');
  const nowTs = context.now();
  const market = context.markets.byToken(payload.order.tokenId, nowTs);
  if (!market || market.isClosed)
    throw new OrderRefusal(`the orderbook ${payload.order.tokenId} does not exist`);
  await checkSigner(context, key, payload, market);
  const ticket = toTicket(context, key, payload, market);
  context.exchange.advance(nowTs);
  checkFunds(context, ticket, market);
  const placement = context.exchange.place(ticket, nowTs);
  if (placement.refusal === 'below-a-dollar')
    throw new OrderRefusal(
      `invalid amount for a marketable BUY order ($${Number(payload.order.makerAmount) / MICRO}), min size: $1`,
    );
  if (placement.refusal !== null) throw new OrderRefusal(REFUSALS[placement.refusal]);
  return placement;
}

async function checkSigner(
  { wallets, now }: ExchangeContext,
  key: KeyRecord,
  { order }: OrderPayload,
  market: ExchangeMarket,
): Promise<void> {
  const refusal = await refuseSigner(key.address, order, market, wallets, now());
  if (refusal !== null) throw new OrderRefusal(refusal);
  if (!wallets.hasAcceptedTerms(order.maker)) throw new OrderRefusal('terms of service not accepted');
}

function toTicket(
  context: ExchangeContext,
  key: KeyRecord,
  payload: OrderPayload,
  market: ExchangeMarket,
): Ticket {
  const { order } = payload;
  const id = hashOrder(order, market);
  if (context.exchange.records.has(id))
    throw new OrderRefusal(`order ${id} is invalid. Duplicated. Same order has already been placed`);
  const { pricePips, sizeMicro, budgetMicro } = priceOrder(id, payload, market);
  const expiresTs = readExpiry(payload, context.instants());
  return {
    order: {
      id,
      apiKey: key.apiKey,
      maker: order.maker.toLowerCase(),
      conditionId: market.conditionId,
      tokenId: order.tokenId,
      outcome: market.outcomes[market.tokenIds.indexOf(order.tokenId)]!,
      action: order.side,
      pricePips,
      originalMicro: sizeMicro,
      type: payload.orderType,
      expiresTs,
      createdTs: context.now(),
    },
    isPostOnly: payload.isPostOnly,
    isBelowDollar: order.side === 'BUY' && Number(order.makerAmount) < MICRO,
    ...(budgetMicro === undefined ? {} : { budgetMicro }),
  };
}

function checkFunds(context: ExchangeContext, { order, budgetMicro }: Ticket, market: ExchangeMarket): void {
  const { exchange, wallets } = context;
  const isBuy = order.action === 'BUY';
  const amount = isBuy
    ? (budgetMicro ?? usdMicroFor(order.originalMicro, order.pricePips))
    : order.originalMicro;
  const allowance = allowanceOf(context, order.maker, isBuy, market);
  if (allowance !== null && allowance < amount)
    throw new OrderRefusal(
      `not enough balance / allowance: the allowance is not enough -> spender: ${exchangeFor(market)}, allowance: ${allowance}, order amount: ${amount}`,
    );
  const available = wallets.cached.available(order.maker, isBuy ? USD : order.tokenId);
  const fee =
    isBuy && exchange.feePaidIn === 'usd' ? feeUsdMicro(order.originalMicro, order.pricePips, market.fee) : 0;
  if (available < amount + fee)
    throw new OrderRefusal(
      `not enough balance / allowance: the balance is not enough -> balance: ${available}, order amount: ${amount + fee}`,
    );
}

/** null means unlimited. */
function allowanceOf(
  { wallets, faults, now }: ExchangeContext,
  wallet: string,
  isBuy: boolean,
  market: ExchangeMarket,
): number | null {
  if (faults.hits('exchange-no-allowance', now())) return 0;
  const positions = market.version === 'v2' ? 'CONDITIONAL-V2' : 'CONDITIONAL';
  const isApproved = wallets.cached.isApproved(wallet, isBuy ? 'COLLATERAL' : positions, exchangeFor(market));
  return isApproved ? wallets.allowance(wallet) : 0;
}
