// The exchange as a venue, over plain HTTP. It never retries by itself: an unknown result stays unknown.

import type { Clock } from '../../../runtime/clock.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Access, MarketTerms, SendOutcome, Venue } from '../../types.ts';
import { readAmount, readFields, readFlag, readList } from './answer-fields.ts';
import type { ApiCredentials } from './auth-headers.ts';
import { buildOrder } from './build-order.ts';
import { readTerms } from './read-terms.ts';
import { describe, expectOk, openSession, type Reply, type SessionOptions, TIMEOUT_MS } from './session.ts';
import { openSocket } from './socket.ts';
import { readBook, readCancelled, readFills, readOrder } from './wire.ts';

export interface PolymarketVenueOptions extends SessionOptions {
  /** Endpoint that reports whether trading is allowed from here; null for the simulator, which has none. */
  geoblockUrl: string | null;
  feePaidIn: MarketTerms['feePaidIn'];
  /** Stream of our own orders and trades; without it they are only polled. */
  userStream?: { url: string; clock: Clock; logger: Logger };
}

/** The exchange's timestamps are in whole seconds. */
const OVERLAP_S = 2;

export async function openPolymarketVenue(options: PolymarketVenueOptions): Promise<Venue> {
  const ask = options.fetch ?? fetch;
  const { signatureType } = options.identity;
  const { key, request, signed, listAll } = await openSession(options);
  let heartbeatId = '';

  async function beat(): Promise<Reply> {
    const reply = await signed('POST', '/v1/heartbeats', '', JSON.stringify({ heartbeat_id: heartbeatId }));
    const { heartbeat_id } = (reply.body ?? {}) as { heartbeat_id?: string };
    if (heartbeat_id !== undefined) heartbeatId = heartbeat_id;
    return reply;
  }

  async function balance(query: string): Promise<number> {
    const path = '/balance-allowance';
    const body = await expectOk(signed('GET', path, `?${query}&signature_type=${signatureType}`));
    return readAmount(readFields(body, 'balance'), 'balance');
  }

  return {
    name: 'polymarket',
    async checkAccess(): Promise<Access> {
      if (options.geoblockUrl !== null) {
        const response = await ask(options.geoblockUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        const { blocked, country } = (await response.json()) as { blocked?: boolean; country?: string };
        if (blocked !== false)
          return { isAllowed: false, reason: `trading is blocked from ${country ?? 'here'}` };
      }
      const mode = readFields(await expectOk(signed('GET', '/auth/ban-status/closed-only')), 'closed_only');
      return readFlag(mode, 'closed_only')
        ? { isAllowed: false, reason: 'the account may only close positions' }
        : { isAllowed: true, reason: '' };
    },
    prepare: (wanted) => buildOrder(options.identity, key.apiKey, wanted, options.clock.now()),
    time: async () => 1000 * readAmount({ time: await expectOk(request('GET', '/time', {})) }, 'time'),
    async send({ orderId, payload }): Promise<SendOutcome> {
      try {
        const reply = await signed('POST', '/order', '', payload);
        if (reply.status === 200) return readPlaced(reply.body, orderId);
        return { kind: isRefusal(reply) ? 'refused' : 'unknown', reason: describe(reply) };
      } catch (error) {
        return { kind: 'unknown', reason: errorMessage(error) };
      }
    },
    async cancel(orderIds) {
      if (orderIds.length === 0) return [];
      return readCancelled(await expectOk(signed('DELETE', '/orders', '', JSON.stringify(orderIds))));
    },
    cancelAll: async () => readCancelled(await expectOk(signed('DELETE', '/cancel-all'))),
    openOrders: async () => (await listAll('/data/orders')).map(readOrder),
    async findOrder(orderId) {
      const reply = await signed('GET', `/data/order/${orderId}`);
      // A proxy's error page says nothing about the order; treating it as missing would place the order
      // again.
      if (reply.status === 404 && reply.body !== null) return null;
      if (reply.status !== 200) throw new Error(describe(reply));
      return readOrder(reply.body);
    },
    async fillsSince(ts) {
      const after = Math.max(0, Math.floor(ts / 1000) - OVERLAP_S);
      const trades = await listAll('/data/trades', `&after=${after}`);
      return trades.flatMap((trade) => readFills(trade, key.apiKey)).sort((a, b) => a.ts - b.ts);
    },
    cashMicro: () => balance('asset_type=COLLATERAL'),
    sharesMicro: (tokenId) => balance(`asset_type=CONDITIONAL&token_id=${tokenId}`),
    async books(tokenIds) {
      const body = JSON.stringify(tokenIds.map((token_id) => ({ token_id })));
      const reply = await request('POST', '/books', {}, body);
      if (reply.status !== 400)
        return readList(await expectOk(Promise.resolve(reply)), 'books').map(readBook);
      // Batch calls have been refused while single ones worked; a token without a book is 404.
      const replies: Reply[] = [];
      for (const id of tokenIds) replies.push(await request('GET', `/book?token_id=${id}`, {}));
      const known = replies.filter(({ status }) => status !== 404);
      return Promise.all(known.map(async (one) => readBook(await expectOk(Promise.resolve(one)))));
    },
    terms: (tokenId) => readTerms((path) => expectOk(request('GET', path, {})), tokenId, options.feePaidIn),
    async heartbeat() {
      const first = await beat();
      // The last heartbeat came from another process or from before a restart, so continue from its id.
      const reply = first.status === 400 && heartbeatId !== '' ? await beat() : first;
      if (reply.status !== 200) throw new Error(describe(reply));
    },
    watch: (onChange) =>
      options.userStream ? openUserStream({ ...options.userStream, key, onChange }) : () => {},
  };
}

/** Only the id that we signed confirms our order. */
function readPlaced(body: unknown, orderId: string): SendOutcome {
  const { success, orderID, errorMsg } = (body ?? {}) as Record<string, unknown>;
  if (success === false) return { kind: 'refused', reason: String(errorMsg || 'without a reason') };
  if (String(orderID).toLowerCase() === orderId.toLowerCase()) return { kind: 'accepted' };
  return { kind: 'unknown', reason: `the exchange confirmed order ${String(orderID)} instead of ${orderId}` };
}

/** With a body it comes from the exchange; without one it may come from any proxy. */
function isRefusal({ status, body }: Reply): boolean {
  return body !== null && ((status >= 400 && status < 500) || status === 503);
}

// The stream of our own orders and trades. Messages can be lost, so each one only triggers a read of the
// exchange.

interface UserStreamOptions {
  url: string;
  key: ApiCredentials;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

/** Returns a function that closes the stream. */
function openUserStream({ url, key, clock, logger, onChange }: UserStreamOptions): () => void {
  const socket = openSocket({
    url,
    clock,
    logger,
    onOpen() {
      socket.send({ type: 'user', auth: key, markets: [] });
      // Events missed while disconnected are not sent again.
      onChange();
    },
    onMessage: onChange,
  });
  return socket.close;
}
