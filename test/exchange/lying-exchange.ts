// The simulated exchange of each venue behind a proxy that delays, drops and rewrites its answers, on a manual clock.

import { generateKeyPairSync } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Exchange } from '../../simulator/exchange/exchange.ts';
import { USD } from '../../simulator/exchange/settling/ledger.ts';
import { openInProcess } from '../../simulator/in-process.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import { DAY_MS, HOUR_MS, MICRO } from '../../src/domain/units.ts';
import { createManualClock, type ManualClock } from '../../src/runtime/clock.ts';
import type { Venue } from '../../src/trading/types.ts';
import { openKalshiVenue } from '../../src/trading/venue/kalshi/venue.ts';
import { openPolymarketVenue } from '../../src/trading/venue/polymarket/venue.ts';
import { openChain } from '../../src/trading/venue/polymarket/wallet/chain.ts';
import { openRelayer } from '../../src/trading/venue/polymarket/wallet/relayer.ts';

export type VenueName = 'polymarket' | 'kalshi';
export type Row = Record<string, unknown>;
type Call = 'send' | 'cancel' | 'list' | 'order' | 'fills' | 'other';

export interface Lies {
  /** Drops the request, or the answer of a request that took effect. */
  dropsRequest?(call: Call): boolean;
  dropsAnswer?(call: Call): boolean;
  /** Holds an order back for this long. */
  delayMs?(): number;
  /** Shows a resting order as ended, and leaves it out of the list. */
  endsOrders?(): boolean;
  losesRow?(): boolean;
  shrinksFill?(): boolean;
  /** Answers about another order than was asked about. */
  mixesIds?(): boolean;
}

export interface LyingExchange {
  clock: ManualClock;
  venue: Venue;
  core: Exchange;
  /** The trader's account. */
  owner: string;
  /** Tokens as the trader names them, with their best offer. */
  offers: { tokenId: string; askPips: number }[];
  lies: Lies;
  /** Delivers late orders and lets the exchange trade. */
  advance(): void;
  /** The trader's name of a token on the exchange. */
  tokenIdOf(exchangeTokenId: string): string;
  /** Takes every offer of a token, so that the next order rests. */
  takeOffers(tokenId: string): void;
}

const SEED = 21;
const START_TS = Date.UTC(2026, 10, 18, 15);
const TOKENS = 4;
const RIVAL = 'rival';
const RSA = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** How a venue spells what the lies are about. */
interface Dialect {
  calls: readonly [Call, RegExp][];
  end(order: Row): Row;
  shrink(fill: Row): Row;
}

const half = (size: unknown) => String(Math.floor(Number(size) / 2));
const DIALECTS: Record<VenueName, Dialect> = {
  polymarket: {
    calls: [
      ['send', /^POST .*\/order$/],
      ['cancel', /^DELETE /],
      ['list', /\/data\/orders$/],
      ['order', /\/data\/order\//],
      ['fills', /\/data\/trades$/],
    ],
    end: (order) => ({ ...order, status: 'ORDER_STATUS_CANCELED', size_matched: '0' }),
    shrink: (trade) => ({
      ...trade,
      size: half(trade.size),
      maker_orders: (trade.maker_orders as Row[]).map((maker) => ({
        ...maker,
        matched_amount: half(maker.matched_amount),
      })),
    }),
  },
  kalshi: {
    calls: [
      ['send', /^POST .*\/events\/orders$/],
      ['cancel', /^DELETE /],
      ['list', /\/portfolio\/orders$/],
      ['order', /\/portfolio\/orders\//],
      ['fills', /\/portfolio\/fills$/],
    ],
    end: (order) => ({ ...order, status: 'canceled' }),
    shrink: (fill) => ({ ...fill, count_fp: (Number(fill.count_fp) / 2).toFixed(2) }),
  },
};

export async function openLyingExchange(name: VenueName): Promise<LyingExchange> {
  const clock = createManualClock(START_TS);
  const options = { seed: SEED, anchorTs: START_TS - 30 * DAY_MS, clock };
  const simulator = createSimulator(options);
  const inProcess = openInProcess(simulator);
  const lies: Lies = {};
  const proxy = createProxy({ name, lies, pass: inProcess.fetch, clock });
  const ask = proxy.ask as typeof fetch;
  const { urls } = inProcess;

  async function openPolymarket() {
    const account = privateKeyToAccount(generatePrivateKey());
    const wallet = simulator.exchange.wallets.setUp({ key: account.address }, clock.now());
    simulator.exchange.wallets.give(RIVAL, 1e9);
    const venue = await openPolymarketVenue({
      ...{ url: urls.clob, geoblockUrl: null, gammaUrl: urls.gamma, feePaidIn: 'shares', clock, fetch: ask },
      signer: { account, wallet, kind: 'key', form: 'plain', isSession: false },
      chain: openChain(`${urls.base}/polygon`),
      relayer: openRelayer({ url: `${urls.base}/relayer`, key: null }),
    });
    const { core } = simulator.exchange;
    const marketOf = (tokenId: string) => simulator.exchange.market(tokenId, clock.now());
    const { countEvents } = createSimulatorState(options);
    const markets = countEvents
      .list(clock.now())
      .filter((event) => event.version === 'v1' && event.endTs > clock.now() + 6 * HOUR_MS)
      .map((event) => countEvents.markets(event).map(({ tokenIds: [yes] }) => yes));
    const advance = () => simulator.exchange.advance(clock.now());
    const deliver = ({ url, init }: Late) => void inProcess.fetch(url, init);
    return { venue, core, marketOf, markets, advance, deliver, owner: wallet.toLowerCase(), prefix: '' };
  }

  async function openKalshi() {
    const member = { keyId: 'member-1', publicKeyPem: RSA.publicKey };
    simulator.kalshi.meet(member);
    simulator.kalshi.core.ledger.apply([{ owner: RIVAL, asset: USD, deltaMicro: 1e9 * MICRO }]);
    const body = JSON.stringify(member);
    await simulator.fetch(new Request(`${urls.base}/admin/kalshi-members`, { method: 'POST', body }));
    const key = { keyId: member.keyId, privateKeyPem: RSA.privateKey };
    const venue = openKalshiVenue({ url: urls.kalshi, key, clock, fetch: ask });
    const { core, venue: listed } = simulator.kalshi;
    const marketOf = (tokenId: string) => simulator.kalshi.market(tokenId, clock.now());
    const markets = listed
      .contracts(clock.now())
      .filter(({ kind, closeTs }) => kind !== 'other' && closeTs > clock.now() + 6 * HOUR_MS)
      .map((contract) => listed.markets(contract).map(({ ticker }) => `${PREFIX}${ticker}:yes`));
    const advance = () => {
      simulator.now();
      core.advance(clock.now());
    };
    // The signature of the request is too old by then, which a dishonest exchange would not mind.
    const deliver = ({ init }: Late) => void simulator.kalshi.place(member, JSON.parse(String(init.body)));
    return { venue, core, marketOf, markets, advance, deliver, owner: member.keyId, prefix: PREFIX };
  }

  const opened = await (name === 'kalshi' ? openKalshi() : openPolymarket());
  const { core, prefix, marketOf } = opened;
  const offers = await listOffers(opened.venue, opened.markets);
  let taken = 0;
  return {
    ...{ clock, lies, core, venue: opened.venue, owner: opened.owner, offers },
    advance() {
      proxy.takeDue().forEach(opened.deliver);
      opened.advance();
    },
    tokenIdOf: (tokenId) => `${prefix}${tokenId}`,
    takeOffers(given) {
      const tokenId = given.slice(prefix.length);
      const { conditionId } = marketOf(tokenId)!;
      const order = {
        ...{ id: `rival-${taken++}`, apiKey: RIVAL, maker: RIVAL, conditionId, tokenId, outcome: '' },
        ...{ action: 'BUY' as const, pricePips: 6_500, originalMicro: 1e12, type: 'FAK' as const },
        ...{ expiresTs: null, createdTs: clock.now() },
      };
      core.place({ order, isPostOnly: false }, clock.now());
    },
  };
}

const PREFIX = 'kalshi:';

/** One token per event, neither cheap nor nearly decided. */
async function listOffers(venue: Venue, markets: readonly string[][]): Promise<LyingExchange['offers']> {
  const offers: LyingExchange['offers'] = [];
  for (const tokenIds of markets) {
    const books = await venue.books(tokenIds);
    const open = books.find(({ asks: [best] }) => best && best.pricePips >= 1_000 && best.pricePips <= 6_000);
    if (open) offers.push({ tokenId: open.tokenId, askPips: open.asks[0]!.pricePips });
    if (offers.length === TOKENS) break;
  }
  return offers;
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

interface Late {
  url: string;
  init: RequestInit;
  dueTs: number;
}

interface ProxyParts {
  name: VenueName;
  lies: Lies;
  pass: Fetch;
  clock: ManualClock;
}

function createProxy({ name, lies, pass, clock }: ProxyParts) {
  const dialect = DIALECTS[name];
  let late: Late[] = [];
  /** The last order that was shown, to be confused with the next one. */
  let shown: Row | null = null;

  function rewriteOrder(order: Row): Row {
    const given = lies.mixesIds?.() && shown ? shown : order;
    shown = order;
    return lies.endsOrders?.() ? dialect.end(given) : given;
  }

  function rewrite(call: Call, body: unknown): unknown {
    const fields = body as Row | null;
    if (call === 'order' && fields)
      return fields.order ? { order: rewriteOrder(fields.order as Row) } : rewriteOrder(fields);
    if (call !== 'list' && call !== 'fills') return body;
    const [key, rows] = Object.entries(fields!).find((entry) => Array.isArray(entry[1]))! as [string, Row[]];
    const kept = rows.filter(() => !lies.losesRow?.() && !(call === 'list' && lies.endsOrders?.()));
    const lie = (row: Row) => (call === 'fills' && lies.shrinksFill?.() ? dialect.shrink(row) : row);
    return { ...fields, [key]: kept.map(lie) };
  }

  async function ask(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { href, pathname } = new URL(url);
    const request = `${init.method} ${pathname}`;
    const call = dialect.calls.find(([, pattern]) => pattern.test(request))?.[0] ?? 'other';
    const delayMs = call === 'send' ? (lies.delayMs?.() ?? 0) : 0;
    if (delayMs > 0) late.push({ url: href, init: { ...init, signal: null }, dueTs: clock.now() + delayMs });
    if (delayMs > 0 || lies.dropsRequest?.(call)) throw new TypeError('timeout');
    const response = await pass(href, { ...init, signal: null });
    if (lies.dropsAnswer?.(call)) throw new TypeError('timeout');
    if (!response.ok) return response;
    const { status, headers } = response;
    return new Response(JSON.stringify(rewrite(call, await response.json())), { status, headers });
  }

  return {
    ask,
    takeDue(): Late[] {
      const due = late.filter(({ dueTs }) => dueTs <= clock.now());
      late = late.filter((one) => !due.includes(one));
      return due;
    },
  };
}
