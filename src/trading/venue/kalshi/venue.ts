// Kalshi as a venue. Orders end by an expiry instead of missed heartbeats, trades are final when matched, and
// decided markets pay by themselves.

import { usdMicroFor } from '../../../domain/units.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import { readPositions } from '../../../sources/kalshi/wire.ts';
import { type Access, Contradiction, type Fill, type SendOutcome, type Venue } from '../../types.ts';
import { readFields, readFlag, readList, readMicro, readText } from '../answer-fields.ts';
import { createKalshiMarkets } from './markets.ts';
import {
  type KalshiOrder,
  readClientId,
  readKalshiFill,
  readKalshiOrder,
  splitToken,
  toOrderBody,
} from './order-wire.ts';
import {
  describeReply,
  type KalshiReply,
  type KalshiSession,
  type KalshiSessionOptions,
  openKalshiSession,
} from './session.ts';

const ORDERS = '/portfolio/events/orders';
/** The exchange cancels no more orders in one request. */
const CANCEL_LOT = 20;
/** The exchange's times are in whole seconds, and clocks differ. */
const OVERLAP_S = 60;
const MAX_CASH_READS = 5;

export function openKalshiVenue(options: KalshiSessionOptions): Venue {
  const session = openKalshiSession(options);
  const { clock } = options;
  const orders = createOrders(session);
  const markets = createKalshiMarkets(session, clock);

  async function cancelLot(found: readonly KalshiOrder[]): Promise<string[]> {
    const body = {
      orders: found.map(({ exchangeId, ticker }) => ({ order_id: exchangeId, market_ticker: ticker })),
    };
    const reply = await session.request('DELETE', `${ORDERS}/batched`, {}, body);
    if (reply.status !== 200) throw new Error(describeReply(reply));
    const rows = readList(readFields(reply.body, 'cancellation').orders, 'orders');
    const done = rows.map((row) => readFields(row, 'orders')).filter(({ error }) => (error ?? null) === null);
    const ids = new Set(done.map((row) => readText(row, 'order_id')));
    return found.filter(({ exchangeId }) => ids.has(exchangeId)).map(({ orderId }) => orderId);
  }

  return {
    name: 'kalshi',
    checkAccess: () => checkAccess(session),
    async prepare(request) {
      const body = toOrderBody(request, clock.now());
      return { orderId: body.client_order_id, payload: JSON.stringify(body) };
    },
    async time() {
      const reply = await session.request('GET', '/exchange/status');
      // A proxy's error page has the proxy's time.
      if (reply.status !== 200) throw new Error(describeReply(reply));
      if (Number.isNaN(reply.ts)) throw new Error('exchange: the time is missing');
      return reply.ts;
    },
    async send({ orderId, payload }) {
      try {
        const outcome = readPlaced(await session.request('POST', ORDERS, {}, JSON.parse(payload)), orderId);
        if (outcome.kind === 'accepted') orders.markOpen(orderId);
        return outcome;
      } catch (error) {
        return { kind: 'unknown', reason: errorMessage(error) };
      }
    },
    async cancel(orderIds) {
      const cancelled: string[] = [];
      const found = (await orders.open()).filter(({ orderId }) => orderIds.includes(orderId));
      for (let from = 0; from < found.length; from += CANCEL_LOT)
        cancelled.push(...(await cancelLot(found.slice(from, from + CANCEL_LOT))));
      return cancelled;
    },
    /** One request, which also ends orders that were never listed. */
    async cancelAll() {
      const seen = orders.seenOpen();
      const reply = await session.request('DELETE', ORDERS);
      if (reply.status !== 200 && reply.status !== 204) throw new Error(describeReply(reply));
      return seen;
    },
    openOrders: orders.open,
    findOrder: orders.find,
    fillsSince: (ts) => orders.fillsSince(ts),
    cashMicro: () => readCash(session, orders.open),
    async sharesMicro(tokenId) {
      const { ticker, side } = splitToken(tokenId);
      const { positions } = readPositions(await session.get('/portfolio/positions', { ticker, limit: 200 }));
      const contracts = positions.find((position) => position.ticker === ticker)?.contracts ?? 0;
      return Math.round(Math.max(0, side === 'yes' ? contracts : -contracts) * 1_000_000);
    },
    books: markets.books,
    terms: markets.terms,
    heartbeat: async () => {},
    watch: () => () => {},
  };
}

/** Our orders by our own ids; the exchange knows them by its own. */
function createOrders({ get, listAll }: KalshiSession) {
  /** Our id by the exchange's; null for an order of somebody else. */
  const ownIds = new Map<string, string | null>();
  let seenOpen = new Set<string>();

  function keep(order: KalshiOrder): KalshiOrder {
    ownIds.set(order.exchangeId, readClientId(order.orderId) ? order.orderId : null);
    return order;
  }

  async function ownIdOf(exchangeId: string): Promise<string | null> {
    const known = ownIds.get(exchangeId);
    if (known !== undefined) return known;
    const { order } = readFields(await get(`/portfolio/orders/${exchangeId}`), 'order');
    const found = keep(readKalshiOrder(order));
    if (found.exchangeId !== exchangeId)
      throw new Contradiction(
        `the exchange answered about order ${found.exchangeId} when asked about ${exchangeId}`,
      );
    return ownIds.get(exchangeId) ?? null;
  }

  return {
    markOpen: (orderId: string) => void seenOpen.add(orderId),
    seenOpen: () => [...seenOpen],
    async open(): Promise<KalshiOrder[]> {
      const listed = await listAll('/portfolio/orders', 'orders', { status: 'resting' });
      const found = listed.map((one) => keep(readKalshiOrder(one)));
      seenOpen = new Set(found.map(({ orderId }) => orderId));
      return found;
    },
    /** There is no search by our id, which says when the order was made. */
    async find(orderId: string): Promise<KalshiOrder | null> {
      const made = readClientId(orderId);
      if (!made) return null;
      const min_ts = Math.floor(made.madeTs / 1_000) - OVERLAP_S;
      const listed = await listAll('/portfolio/orders', 'orders', { min_ts, max_ts: min_ts + 4 * OVERLAP_S });
      return listed.map((one) => keep(readKalshiOrder(one))).find((one) => one.orderId === orderId) ?? null;
    },
    /** Fills of somebody else's orders are left out, and show up as a difference of the balances. */
    async fillsSince(ts: number): Promise<Fill[]> {
      const min_ts = Math.max(0, Math.floor(ts / 1_000) - OVERLAP_S);
      const fills: Fill[] = [];
      for (const one of await listAll('/portfolio/fills', 'fills', { min_ts })) {
        const orderId = await ownIdOf(readText(readFields(one, 'fill'), 'order_id'));
        if (orderId !== null) fills.push(readKalshiFill(one, orderId));
      }
      return fills.sort((a, b) => a.ts - b.ts);
    },
  };
}

async function checkAccess({ get }: KalshiSession): Promise<Access> {
  const status = readFields(await get('/exchange/status'), 'exchange status');
  const isOpen = readFlag(status, 'exchange_active') && readFlag(status, 'trading_active');
  const resumes = status.exchange_estimated_resume_time;
  const until = typeof resumes === 'string' ? ` until about ${resumes}` : '';
  return { isAllowed: isOpen, reason: isOpen ? '' : `the exchange has paused trading${until}` };
}

/** Only our own id confirms our order. */
function readPlaced(reply: KalshiReply, orderId: string): SendOutcome {
  const { client_order_id } = (reply.body ?? {}) as { client_order_id?: unknown };
  if (reply.status === 201 || reply.status === 200)
    return client_order_id === orderId
      ? { kind: 'accepted' }
      : { kind: 'unknown', reason: `the exchange confirmed another order, ${String(client_order_id)}` };
  const reason = describeReply(reply);
  // Without a body the answer may come from any proxy, a timeout (408) decides nothing, and an order with our id may be ours.
  const isDecided = reply.body !== null && reply.status !== 408 && reply.status >= 400 && reply.status < 500;
  return { kind: isDecided && !reason.includes('already_exists') ? 'refused' : 'unknown', reason };
}

/** Money in the account: what the exchange shows as available, and what open purchases hold back. */
async function readCash({ get }: KalshiSession, open: () => Promise<KalshiOrder[]>): Promise<number> {
  let before = describeHeld(await open());
  for (let attempt = 0; attempt < MAX_CASH_READS; attempt++) {
    const balance = readFields(await get('/portfolio/balance'), 'balance');
    const after = describeHeld(await open());
    // An order that was filled between the reads would be counted twice or not at all.
    if (after.key === before.key) return readMicro(balance, 'balance_dollars') + after.heldMicro;
    before = after;
  }
  throw new Error('the balance changes too fast to be read');
}

function describeHeld(orders: readonly KalshiOrder[]): { key: string; heldMicro: number } {
  const buys = orders.filter(({ action }) => action === 'BUY');
  return {
    key: orders.map(({ exchangeId, matchedMicro }) => `${exchangeId} ${matchedMicro}`).join(),
    heldMicro: buys.reduce(
      (sum, { sizeMicro, matchedMicro, pricePips }) => sum + usdMicroFor(sizeMicro - matchedMicro, pricePips),
      0,
    ),
  };
}
