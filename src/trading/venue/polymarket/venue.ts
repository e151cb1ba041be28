// The exchange as a venue, over plain HTTP. It never retries by itself: an unknown result stays unknown.

import { randomInt } from 'node:crypto';
import { usdMicroFor } from '../../../domain/units.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type {
  MarketTerms,
  OrderRequest,
  PreparedOrder,
  Redemption,
  SendOutcome,
  Venue,
  VenueBook,
} from '../../types.ts';
import { readAmount, readFields, readList } from '../answer-fields.ts';
import { createListings, type Listings } from './listings.ts';
import type { ApiCredentials } from './session.ts';
import {
  createAccessCheck,
  describe,
  expectOk,
  openSession,
  type Reply,
  type Session,
  type SessionOptions,
} from './session.ts';
import type { MarketForm } from './signing/contracts.ts';
import { hashOrder, type UnsignedOrder } from './signing/order-typed-data.ts';
import { SIGNATURE_TYPES, type Signer, signOrder } from './signing/sign-order.ts';
import { openSocket } from './socket.ts';
import type { Chain } from './wallet/chain.ts';
import { hasRedeemed, sendRedemption } from './wallet/redeem.ts';
import type { Relayer } from './wallet/relayer.ts';
import { readBook, readCancelled, readFills, readOrder, readTerms } from './wire.ts';

export interface PolymarketVenueOptions extends SessionOptions {
  /** Endpoint that reports whether trading is allowed from here; null for the simulator, which has none. */
  geoblockUrl: string | null;
  gammaUrl: string;
  chain: Chain;
  relayer: Relayer;
  feePaidIn: MarketTerms['feePaidIn'];
  /** When the session key ends, if the exchange does not say; null if unknown. */
  sessionExpiresTs?: number | null;
  /** Stream of our own orders and trades; without it they are only polled. */
  userStream?: { url: string; clock: Clock; logger: Logger };
}

/** The exchange's timestamps are in whole seconds. */
const OVERLAP_S = 2;
/** Cancelling costs one unit per order, and a request above the burst of 120 can never succeed. */
const CANCEL_LOT = 100;
const ASSET_TYPES = { v1: 'CONDITIONAL', v2: 'CONDITIONAL-V2' } as const;

export async function openPolymarketVenue(options: PolymarketVenueOptions): Promise<Venue> {
  const { signer, clock } = options;
  const session = await openSession(options);
  const { key, request, signed, listAll } = session;
  const get = (path: string) => expectOk(request('GET', path, {}));
  const listings = createListings({ ...options, get });
  const openOrders = async () => (await listAll('/data/orders')).map(readOrder);
  let heartbeatId = '';

  async function beat(): Promise<Reply> {
    const reply = await signed('POST', '/v1/heartbeats', '', JSON.stringify({ heartbeat_id: heartbeatId }));
    const { heartbeat_id } = (reply.body ?? {}) as { heartbeat_id?: string };
    if (heartbeat_id !== undefined) heartbeatId = heartbeat_id;
    return reply;
  }

  const balances = openBalances(options, session, listings);
  const bookReads = openBookReads(request);
  const checkAccess = createAccessCheck(options, session);

  async function cancel(orderIds: readonly string[]): Promise<string[]> {
    if (orderIds.length === 0) return [];
    const reply = await signed('DELETE', '/orders', '', JSON.stringify(orderIds));
    if (!isBatchRefused(reply)) return readCancelled(await expectOk(Promise.resolve(reply)));
    const cancelled: string[] = [];
    for (const orderID of orderIds)
      cancelled.push(
        ...readCancelled(await expectOk(signed('DELETE', '/order', '', JSON.stringify({ orderID })))),
      );
    return cancelled;
  }

  /** Too many orders to cancel at once are cancelled in lots. */
  async function cancelAll(): Promise<string[]> {
    const reply = await signed('DELETE', '/cancel-all');
    if (reply.status !== 429) return readCancelled(await expectOk(Promise.resolve(reply)));
    const cancelled: string[] = [];
    const open = (await openOrders()).map(({ orderId }) => orderId);
    for (let from = 0; from < open.length; from += CANCEL_LOT)
      cancelled.push(...(await cancel(open.slice(from, from + CANCEL_LOT))));
    return cancelled;
  }

  return {
    name: 'polymarket',
    async checkAccess() {
      const access = await checkAccess();
      const warnings = [access.warning, bookReads.restriction()].filter((text) => text);
      return warnings.length > 0 ? { ...access, warning: warnings.join('; ') } : access;
    },
    async prepare(wanted) {
      const market = await listings.find(wanted.tokenId);
      return buildOrder(signer, key.apiKey, wanted, market, clock.now());
    },
    time: async () => 1000 * readAmount({ time: await get('/time') }, 'time'),
    async send({ orderId, payload }): Promise<SendOutcome> {
      try {
        const reply = await signed('POST', '/order', '', payload);
        if (reply.status === 200) return readPlaced(reply.body, orderId);
        return { kind: isRefusal(reply) ? 'refused' : 'unknown', reason: describe(reply) };
      } catch (error) {
        return { kind: 'unknown', reason: errorMessage(error) };
      }
    },
    cancel,
    cancelAll,
    openOrders,
    async findOrder(orderId) {
      const reply = await signed('GET', `/data/order/${orderId}`);
      // A filled order is `null`, like one that never existed: its trades decide.
      if (reply.status === 200 && reply.isNull) return null;
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
    cashMicro: balances.cashMicro,
    sharesMicro: balances.sharesMicro,
    async books(tokenIds) {
      const books = await bookReads.read(tokenIds);
      return Promise.all(
        books.map(async (book) => ({
          ...book,
          ...(await listings.refusals(book.tokenId, book.conditionId)),
        })),
      );
    },
    terms: (tokenId) => readTerms(get, tokenId, options.feePaidIn),
    async heartbeat() {
      const first = await beat();
      // The last heartbeat came from another process or from before a restart, so continue from its id.
      const reply = first.status === 400 && heartbeatId !== '' ? await beat() : first;
      if (reply.status !== 200) throw new Error(describe(reply));
    },
    redemption: openRedemption(options, listings, balances.refresh),
    watch: (onChange) =>
      options.userStream ? openUserStream({ ...options.userStream, key, onChange }) : () => {},
  };
}

/** Balances as the exchange caches them, one per signature type. */
function openBalances({ signer }: PolymarketVenueOptions, { signed }: Session, listings: Listings) {
  const ask = (path: string, asset: string) =>
    expectOk(signed('GET', path, `?${asset}&signature_type=${SIGNATURE_TYPES[signer.kind]}`));

  async function sharesOf(tokenId: string): Promise<string> {
    const { version } = await listings.find(tokenId);
    return `asset_type=${ASSET_TYPES[version]}&token_id=${tokenId}`;
  }

  async function balance(asset: string): Promise<number> {
    return readAmount(readFields(await ask('/balance-allowance', asset), 'balance'), 'balance');
  }

  return {
    cashMicro: () => balance('asset_type=COLLATERAL'),
    sharesMicro: async (tokenId: string) => balance(await sharesOf(tokenId)),
    /** Makes the exchange read the chain. */
    async refresh(tokenId: string): Promise<void> {
      for (const asset of ['asset_type=COLLATERAL', await sharesOf(tokenId)])
        await ask('/balance-allowance/update', asset);
    },
  };
}

/** Ids are kept with their token, so that a restarted trader knows what was redeemed. */
function openRedemption(
  options: PolymarketVenueOptions,
  listings: Listings,
  refresh: (tokenId: string) => Promise<void>,
): Redemption {
  const parts = () => ({ ...options, nowTs: options.clock.now() });
  return {
    async send(tokenId, sharesMicro) {
      const listing = await listings.find(tokenId);
      const outcomeIndex = listing.tokenIds.indexOf(tokenId);
      const id = await sendRedemption({ ...listing, outcomeIndex, sharesMicro }, parts());
      return `${tokenId} ${id}`;
    },
    async hasPaid(given) {
      const [tokenId = '', id = ''] = given.split(' ');
      const hasPaid = await hasRedeemed(id, parts());
      // A failed request may repeat one that paid without an answer: the refreshed balance decides.
      if (hasPaid !== null) await refresh(tokenId);
      return hasPaid;
    },
  };
}

interface BookReads {
  read(tokenIds: readonly string[]): Promise<VenueBook[]>;
  /** Why books are read one by one; null while the batch call works. */
  restriction(): string | null;
}

/** Batch calls have been refused while single ones worked. Single calls wait for each other, which limits their rate. */
function openBookReads(request: Session['request']): BookReads {
  let refusal: string | null = null;

  async function readSingly(tokenIds: readonly string[]): Promise<VenueBook[]> {
    const books: VenueBook[] = [];
    for (const id of tokenIds) {
      const reply = await request('GET', `/book?token_id=${id}`, {});
      // The token has no book.
      if (reply.status === 404 && reply.body !== null) continue;
      books.push(readBook(await expectOk(Promise.resolve(reply))));
    }
    return books;
  }

  return {
    restriction: () => refusal && `/books was refused (${refusal}); books are read one by one`,
    async read(tokenIds) {
      const reply = await request(
        'POST',
        '/books',
        {},
        JSON.stringify(tokenIds.map((token_id) => ({ token_id }))),
      );
      refusal = isBatchRefused(reply) ? describe(reply) : null;
      if (refusal !== null) return readSingly(tokenIds);
      return readList(await expectOk(Promise.resolve(reply)), 'books').map(readBook);
    },
  };
}

/** The batch call is unavailable, or accepts fewer items; single calls may still work. */
function isBatchRefused({ status }: Reply): boolean {
  return [400, 404, 405, 413].includes(status);
}

/** Only the id that we signed confirms our order. */
function readPlaced(body: unknown, orderId: string): SendOutcome {
  const { success, orderID, errorMsg } = (body ?? {}) as Record<string, unknown>;
  if (success === false) return { kind: 'refused', reason: String(errorMsg || 'without a reason') };
  if (String(orderID).toLowerCase() === orderId.toLowerCase()) return { kind: 'accepted' };
  return { kind: 'unknown', reason: `the exchange confirmed order ${String(orderID)} instead of ${orderId}` };
}

/** With a body it comes from the exchange; without one it may come from any proxy. A timeout (408) decides nothing. */
function isRefusal({ status, body }: Reply): boolean {
  return body !== null && status !== 408 && ((status >= 400 && status < 500) || status === 503);
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

// Converts an order request to the signed payload. The order id is derived from the payload, so it can be
// recorded before sending.

const EMPTY = `0x${'0'.repeat(64)}` as const;
const MAX_SALT = 2 ** 47;

export async function buildOrder(
  signer: Signer,
  apiKey: string,
  request: OrderRequest,
  market: MarketForm,
  nowTs: number,
): Promise<PreparedOrder> {
  const order = toUnsigned(signer, request, nowTs);
  const signature = await signOrder(signer, order, market);
  const expiration = String(Math.floor(request.expiresTs / 1000));
  const payload = JSON.stringify({
    deferExec: false,
    postOnly: false,
    order: { ...order, salt: Number(order.salt), expiration, signature },
    owner: apiKey,
    orderType: 'GTD',
  });
  return { orderId: hashOrder(order, market), payload };
}

function toUnsigned({ account, wallet, kind }: Signer, request: OrderRequest, nowTs: number): UnsignedOrder {
  const usd = String(usdMicroFor(request.sizeMicro, request.pricePips));
  const shares = String(request.sizeMicro);
  const [makerAmount, takerAmount] = request.action === 'BUY' ? [usd, shares] : [shares, usd];
  return {
    salt: String(randomInt(1, MAX_SALT)),
    maker: wallet,
    // A deposit wallet signs for itself, whichever key does it.
    signer: kind === 'deposit' ? wallet : account.address,
    tokenId: request.tokenId,
    makerAmount,
    takerAmount,
    side: request.action,
    signatureType: SIGNATURE_TYPES[kind],
    timestamp: String(nowTs),
    metadata: EMPTY,
    builder: EMPTY,
  };
}
