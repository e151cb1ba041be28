// Turns a signed payload into an order on the book, or a rejection.

import { usdMicroFor } from '../../../src/domain/micro-units.ts';
import { feeUsdMicro } from '../../../src/domain/taker-fee.ts';
import { exchangeFor, hashOrder } from '../../../src/trading/venue/polymarket/order-typed-data.ts';
import type { KeyRecord } from '../auth/credentials.ts';
import { isSignedBy } from '../auth/order-signature.ts';
import { SIGNATURE_TYPES } from '../auth/wallets.ts';
import type { ExchangeContext } from '../context.ts';
import type { Placement, Ticket } from '../exchange.ts';
import type { Refusal } from '../matching/execute.ts';
import { USD } from '../settling/ledger.ts';
import type { ExchangeMarket } from '../types.ts';
import { type OrderPayload, OrderRefusal, priceOrder, readExpiry, readPayload } from './read-order.ts';

const REFUSALS: Record<Refusal, string> = {
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
  await checkSignature(key, payload, market);
  const ticket = toTicket(context, key, payload, market);
  context.exchange.advance(nowTs);
  checkFunds(context, ticket, market);
  const placement = context.exchange.place(ticket, nowTs);
  if (placement.refusal !== null) throw new OrderRefusal(REFUSALS[placement.refusal]);
  return placement;
}

async function checkSignature(
  key: KeyRecord,
  { order }: OrderPayload,
  market: ExchangeMarket,
): Promise<void> {
  const isDeposit = order.signatureType === SIGNATURE_TYPES.deposit;
  if (!isDeposit && order.signer.toLowerCase() !== key.address.toLowerCase())
    throw new OrderRefusal('the order signer address has to be the address of the API KEY');
  if (!(await isSignedBy(key.address, order, market.isNegRisk))) throw new OrderRefusal('invalid signature');
}

function toTicket(
  context: ExchangeContext,
  key: KeyRecord,
  payload: OrderPayload,
  market: ExchangeMarket,
): Ticket {
  const { order } = payload;
  const id = hashOrder(order, market.isNegRisk);
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
    ...(budgetMicro === undefined ? {} : { budgetMicro }),
  };
}

function checkFunds(context: ExchangeContext, { order, budgetMicro }: Ticket, market: ExchangeMarket): void {
  const { exchange, wallets, faults } = context;
  wallets.meet(order.maker);
  const isBuy = order.action === 'BUY';
  const amount = isBuy
    ? (budgetMicro ?? usdMicroFor(order.originalMicro, order.pricePips))
    : order.originalMicro;
  const allowance = faults.hits('exchange-no-allowance', context.now()) ? 0 : wallets.allowance(order.maker);
  if (allowance !== null && allowance < amount)
    throw new OrderRefusal(
      `not enough balance / allowance: the allowance is not enough -> spender: ${exchangeFor(market.isNegRisk)}, allowance: ${allowance}, order amount: ${amount}`,
    );
  const available = exchange.ledger.available(order.maker, isBuy ? USD : order.tokenId);
  const fee =
    isBuy && exchange.feePaidIn === 'usd' ? feeUsdMicro(order.originalMicro, order.pricePips, market.fee) : 0;
  if (available < amount + fee)
    throw new OrderRefusal(
      `not enough balance / allowance: the balance is not enough -> balance: ${available}, order amount: ${amount + fee}`,
    );
}
