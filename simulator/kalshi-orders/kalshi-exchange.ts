// Members' orders on the second venue, matched with the crowd by the same engine as on the first venue. A
// member's Yes and No shares of one market cancel out.

import { feeUsdMicro } from '../../src/domain/taker-fee.ts';
import { MICRO, usdMicroFor } from '../../src/domain/units.ts';
import { createExchange, type Exchange, type Ticket } from '../exchange/exchange.ts';
import type { Refusal } from '../exchange/matching/execute.ts';
import type { BookLevel } from '../exchange/matching/order-book.ts';
import { type Ledger, USD, VAULT } from '../exchange/settling/ledger.ts';
import { flipPips } from '../exchange/settling/transfers.ts';
import type { ExchangeMarket, ExchangeOrder } from '../exchange/types.ts';
import type { KalshiMember } from '../kalshi/signing.ts';
import type { KalshiVenue } from '../kalshi/venue.ts';
import type { BookLevel as CrowdLevel } from '../market/quotes.ts';
import { makeHex } from '../platform-ids.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { createFeeRounding } from './fills.ts';
import { createKalshiMarkets, tokenOf } from './markets.ts';
import { type AskedOrder, OrderRefused, readOrder } from './read-order.ts';

export interface KalshiOrder {
  order: ExchangeOrder;
  asked: AskedOrder;
  clientOrderId: string;
}

export interface KalshiExchange {
  /** The venue's data including members' orders in its books. */
  readonly venue: KalshiVenue;
  readonly core: Exchange;
  /** Throws an OrderRefused. */
  place(member: KalshiMember, body: unknown): KalshiOrder;
  /** Returns the open size of the cancelled order; null if there is no such order. */
  cancel(member: KalshiMember, orderId: string): number | null;
  /** Newest first. */
  ordersOf(member: KalshiMember): KalshiOrder[];
  market(tokenId: string, nowTs: number): ExchangeMarket | null;
  /** Gives a new member the starting balance. */
  meet(member: KalshiMember): void;
}

const STARTING_USD = 500;
const REFUSALS: Readonly<Record<Refusal, OrderRefused>> = {
  'post-only-crosses': new OrderRefused(400, 'invalid_order', 'post only cross'),
  'below-a-dollar': new OrderRefused(400, 'invalid_order'),
  'fok-not-filled': new OrderRefused(409, 'fill_or_kill_insufficient_resting_volume'),
  'fak-no-match': new OrderRefused(409, 'immediate_or_cancel_insufficient_resting_volume'),
};

export function openKalshiExchange(state: SimulatorState): KalshiExchange {
  const { seedKey, kalshi } = state;
  const markets = createKalshiMarkets(kalshi, seedKey);
  const orders = new Map<string, KalshiOrder>();
  const clientIds = new Set<string>();
  const met = new Set<string>();
  const core = createExchange({
    seedKey,
    markets,
    feePaidIn: 'usd',
    roundFee: createFeeRounding(),
    settlesAtOnce: true,
    willFail: () => false,
    onEvent: (keyId, event) =>
      event.kind === 'trade' && cancelOut(core.ledger, keyId, event.trade.conditionId),
    onPrint() {},
  });

  function meet({ keyId }: KalshiMember): void {
    if (met.has(keyId)) return;
    met.add(keyId);
    core.ledger.apply([{ owner: keyId, asset: USD, deltaMicro: STARTING_USD * MICRO }]);
  }

  function place(member: KalshiMember, body: unknown): KalshiOrder {
    const nowTs = state.now();
    const asked = readOrder(body, nowTs);
    const market = markets.byCondition(asked.ticker, nowTs);
    if (!market) throw new OrderRefused(404, 'market_not_found');
    if (market.isClosed) throw new OrderRefused(409, 'market_closed');
    const clientKey = `${member.keyId} ${asked.clientOrderId}`;
    if (asked.clientOrderId !== null && clientIds.has(clientKey))
      throw new OrderRefused(409, 'order_already_exists');
    core.advance(nowTs);
    const ticket = toTicket(core.ledger, member.keyId, asked, market, {
      id: makeOrderId(seedKey, orders.size),
      createdTs: nowTs,
    });
    checkFunds(core.ledger, ticket, market);
    const { order, refusal } = core.place(ticket, nowTs);
    if (refusal !== null) throw REFUSALS[refusal];
    clientIds.add(clientKey);
    const placed = { order, asked, clientOrderId: asked.clientOrderId ?? order.id };
    orders.set(order.id, placed);
    return placed;
  }

  return {
    core,
    market: markets.byToken,
    meet,
    place,
    venue: {
      ...kalshi,
      book(market, ts) {
        const levels = ts < market.contract.closeTs ? core.levels(market.ticker, ts) : null;
        if (!levels) return kalshi.book(market, ts);
        const [bids, asks] = levels.map((side) => side.map(toShown));
        return { bids: bids!, asks: asks! };
      },
    },
    cancel({ keyId }, orderId) {
      core.advance(state.now());
      const order = orders.get(orderId)?.order;
      const leftMicro = order ? order.originalMicro - order.matchedMicro : 0;
      return core.cancel(keyId, [orderId]).length > 0 ? leftMicro : null;
    },
    ordersOf: ({ keyId }) => [...orders.values()].filter(({ order }) => order.apiKey === keyId).reverse(),
  };
}

/** Redeems pairs of Yes and No for a dollar each, except shares reserved by open orders. */
function cancelOut(ledger: Ledger, owner: string, ticker: string): void {
  const [yes, no] = [tokenOf(ticker, 'yes'), tokenOf(ticker, 'no')];
  const pairs = Math.min(ledger.available(owner, yes), ledger.available(owner, no));
  if (pairs <= 0) return;
  ledger.apply([
    { owner, asset: yes, deltaMicro: -pairs },
    { owner, asset: no, deltaMicro: -pairs },
    { owner, asset: USD, deltaMicro: pairs },
    { owner: VAULT, asset: USD, deltaMicro: -pairs },
  ]);
}

/** A bid sells No if held, otherwise buys Yes; an ask does the reverse. The book shows no difference. */
function toTicket(
  ledger: Ledger,
  owner: string,
  asked: AskedOrder,
  market: ExchangeMarket,
  identity: Pick<ExchangeOrder, 'id' | 'createdTs'>,
): Ticket {
  const [bought, sold] = asked.side === 'bid' ? ([0, 1] as const) : ([1, 0] as const);
  const isClosing = ledger.available(owner, market.tokenIds[sold]) >= asked.sizeMicro;
  const outcome = isClosing ? sold : bought;
  return {
    order: {
      ...identity,
      apiKey: owner,
      maker: owner,
      conditionId: asked.ticker,
      tokenId: market.tokenIds[outcome],
      outcome: market.outcomes[outcome],
      action: isClosing ? 'SELL' : 'BUY',
      pricePips: outcome === 0 ? asked.yesPips : flipPips(asked.yesPips),
      originalMicro: asked.sizeMicro,
      type: asked.type,
      expiresTs: asked.expiresTs,
    },
    isPostOnly: asked.isPostOnly,
  };
}

function checkFunds(ledger: Ledger, { order }: Ticket, market: ExchangeMarket): void {
  if (order.action === 'SELL') return;
  const costMicro =
    usdMicroFor(order.originalMicro, order.pricePips) +
    feeUsdMicro(order.originalMicro, order.pricePips, market.fee);
  if (ledger.available(order.maker, USD) < costMicro) throw new OrderRefused(400, 'insufficient_balance');
}

function makeOrderId(seedKey: number, number: number): string {
  const part = (salt: number, length: number) => makeHex(seedKey ^ salt, number, length);
  return `${part(0x0d, 8)}-${part(0x0e, 4)}-4000-8000-${part(0x0f, 12)}`;
}

function toShown({ pricePips, sizeMicro }: BookLevel): CrowdLevel {
  return { price: pricePips / 10_000, shares: sizeMicro / MICRO };
}
