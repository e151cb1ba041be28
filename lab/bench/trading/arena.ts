// The two venues that a scenario can be played on: the exchange's account of the executor, its orders, and what
// disturbs them.

import { generateKeyPairSync } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Exchange } from '../../../simulator/exchange/exchange.ts';
import { USD } from '../../../simulator/exchange/settling/ledger.ts';
import type { ExchangeMarket, ExchangeOrder } from '../../../simulator/exchange/types.ts';
import type { Simulator } from '../../../simulator/simulator.ts';
import type { SimulatorState } from '../../../simulator/simulator-state.ts';
import type { SimulatorUrls } from '../../../simulator/urls.ts';
import { MICRO } from '../../../src/domain/units.ts';
import { readClientId } from '../../../src/trading/venue/kalshi/order-wire.ts';
import { type Candidate, listKalshi, listPolymarket } from './draw-advice.ts';
import type { ChildVenue } from './turn-report.ts';

/** An order on its way to the exchange, in the exchange's terms. */
export interface WantedOrder {
  tokenId: string;
  isBuy: boolean;
  pricePips: number;
  sizeMicro: number;
}

export interface Arena {
  core: Exchange;
  /** The executor's account on the exchange. */
  owner: string;
  faults: readonly string[];
  /** Orders end this long after the executor has died. */
  orphansEndMs: number;
  venueAt(urls: SimulatorUrls): ChildVenue;
  advance(ts: number): void;
  market(tokenId: string): ExchangeMarket | null;
  /** The executor's names of a token and an order on the exchange. */
  tokenIdOf(exchangeTokenId: string): string;
  orderIdOf(order: ExchangeOrder): string;
  readOrder(body: string): WantedOrder;
  candidates(state: SimulatorState, nowTs: number): Candidate[];
  /** Handles a request, perhaps badly. */
  handle(raw: Request): Promise<Response>;
}

/** A session key lives for 4,315 hours; its owner renews it in time. */
const RENEW_SESSION_MS = 150 * 86_400_000;

export const RIVAL = 'rival';

const COMMON_FAULTS = [
  'exchange-restart=0.5',
  'exchange-lost-ack=0.3',
  'clob-429=0.1',
  'clob-html=0.1',
  'clob-truncated=0.1',
  'clob-no-book=0.2',
];
const POLYMARKET_FAULTS = [
  ...COMMON_FAULTS,
  ...['exchange-trade-fails=0.3', 'exchange-post-only=0.5', 'exchange-tick=0.5', 'exchange-slow-ack=2s'],
  ...['exchange-no-allowance=0.2', 'user-ws-lossy=0.5'],
];

export function createPolymarketArena(simulator: Simulator, seed: number): Arena {
  const { exchange } = simulator;
  const key = `0x${'5e'.repeat(31)}${(seed % 200).toString(16).padStart(2, '0')}` as Hex;
  const session = privateKeyToAccount(key).address;
  const wallet = exchange.wallets.setUp({ session }, simulator.now());
  let renewedTs = simulator.now();
  exchange.wallets.give(RIVAL, 1e9);
  return {
    core: exchange.core,
    owner: wallet.toLowerCase(),
    faults: POLYMARKET_FAULTS,
    orphansEndMs: 60_000,
    venueAt: ({ clob }) => ({ name: 'polymarket', url: clob, key, wallet }),
    advance(ts) {
      exchange.advance(ts);
      if (ts - renewedTs < RENEW_SESSION_MS) return;
      renewedTs = ts;
      exchange.wallets.setUp({ session, usd: 0 }, ts);
    },
    market: (tokenId) => exchange.market(tokenId, simulator.now()),
    tokenIdOf: (tokenId) => tokenId,
    orderIdOf: ({ id }) => id,
    readOrder(body) {
      const { order } = JSON.parse(body) as {
        order: { tokenId: string; side: string; makerAmount: string; takerAmount: string };
      };
      return {
        tokenId: order.tokenId,
        isBuy: order.side === 'BUY',
        pricePips: Math.round((Number(order.makerAmount) * 10_000) / Number(order.takerAmount)),
        sizeMicro: Number(order.takerAmount),
      };
    },
    candidates: listPolymarket,
    handle: simulator.fetch,
  };
}

/** Faults of the first venue's feeds are applied here, because the simulator's second venue has none. */
export function createKalshiArena(simulator: Simulator): Arena {
  const { kalshi, faults, now } = simulator;
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: pem,
  });
  const member = { keyId: 'executor', publicKeyPem: publicKey };
  kalshi.meet(member);
  kalshi.core.ledger.apply([{ owner: RIVAL, asset: USD, deltaMicro: 1e9 * MICRO }]);
  void simulator.fetch(
    new Request('http://simulator/admin/kalshi-members', { method: 'POST', body: JSON.stringify(member) }),
  );
  const clientIds = new Map<string, string>();
  let late: { raw: Request; body: string; dueTs: number }[] = [];

  async function handle(raw: Request): Promise<Response> {
    const isOrder = raw.method === 'POST' && raw.url.endsWith('/orders');
    if (faults.isOn('exchange-restart', now()) && raw.method !== 'GET') return refuse(503);
    if (faults.hits('clob-429', now())) return page(429);
    if (faults.hits('clob-html', now())) return page(502);
    if (faults.hits('clob-no-book', now()) && raw.url.includes('orderbook')) return refuse(404);
    if (isOrder && faults.hits('exchange-slow-ack', now())) {
      late.push({ raw, body: await raw.text(), dueTs: now() + LATE_MS });
      throw new TypeError('fetch failed', { cause: new Error('timeout') });
    }
    const response = await simulator.fetch(raw);
    if (isOrder && faults.hits('exchange-lost-ack', now())) throw new TypeError('fetch failed');
    if (!faults.hits('clob-truncated', now())) return response;
    const text = await response.text();
    return new Response(text.slice(0, Math.floor(0.6 * text.length)), response);
  }

  /** An order that a proxy held back arrives while its signature is still valid. */
  function deliverLate(): void {
    for (const { raw, body } of late.filter(({ dueTs }) => dueTs <= now()))
      void simulator.fetch(new Request(raw.url, { method: raw.method, headers: raw.headers, body }));
    late = late.filter(({ dueTs }) => dueTs > now());
  }

  return {
    core: kalshi.core,
    owner: member.keyId,
    faults: [...COMMON_FAULTS, 'exchange-slow-ack=2s'],
    orphansEndMs: 125_000,
    venueAt: (urls) => ({
      name: 'kalshi',
      url: urls.kalshi,
      key: { keyId: member.keyId, privateKeyPem: privateKey },
    }),
    advance(ts) {
      // Draws the posts until now, on which markets are decided.
      now();
      deliverLate();
      kalshi.core.advance(ts);
    },
    market: (tokenId) => kalshi.market(tokenId, now()),
    tokenIdOf: (tokenId) => `kalshi:${tokenId}`,
    orderIdOf({ id }) {
      if (!clientIds.has(id))
        for (const placed of kalshi.ordersOf(member)) clientIds.set(placed.order.id, placed.clientOrderId);
      return clientIds.get(id) ?? id;
    },
    readOrder(body) {
      const { ticker, price, count, client_order_id } = JSON.parse(body) as Record<string, string>;
      const { side, action } = readClientId(client_order_id!)!;
      const yesPips = Math.round(Number(price) * 10_000);
      return {
        tokenId: `${ticker}:${side}`,
        isBuy: action === 'BUY',
        pricePips: side === 'yes' ? yesPips : 10_000 - yesPips,
        sizeMicro: Math.round(Number(count) * MICRO),
      };
    },
    candidates: listKalshi,
    handle,
  };
}

const LATE_MS = 5_000;

function refuse(status: number): Response {
  return Response.json({ error: { code: 'service_unavailable', message: 'unavailable' } }, { status });
}

function page(status: number): Response {
  return new Response(`<html>${status}</html>`, { status, headers: { 'content-type': 'text/html' } });
}
