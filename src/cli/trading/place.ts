// Decides where to trade (the service's simulator or the real exchange) and which clock to use.

import { createTallycast, type Tallycast } from '../../../packages/client-js/src/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { Terminal } from '../command.ts';
import type { TradeValues } from './options.ts';

export interface TradingPlace {
  url: string;
  /** Root of Kalshi's API. */
  kalshiUrl: string;
  gammaUrl: string;
  relayerUrl: string;
  /** JSON-RPC of the chain. */
  chainUrl: string;
  socketUrl: string;
  userSocketUrl: string;
  /** Whether the service named its simulator, which gets a new port when it restarts. */
  isNamedByService: boolean;
  geoblockUrl: string | null;
  feePaidIn: 'shares' | 'usd';
  clock: Clock;
  /** Segments of the accounts that the service follows. */
  accounts: readonly string[];
}

const REAL = {
  url: 'https://clob.polymarket.com',
  kalshiUrl: 'https://external-api.kalshi.com/trade-api/v2',
  gammaUrl: 'https://gamma-api.polymarket.com',
  relayerUrl: 'https://relayer-v2.polymarket.com',
  chainUrl: 'https://polygon-rpc.com',
  socketUrl: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
  userSocketUrl: 'wss://ws-subscriptions-clob.polymarket.com/ws/user',
  geoblockUrl: 'https://polymarket.com/api/geoblock',
  feePaidIn: 'shares',
} as const;
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

const ADVICE_TIMEOUT_MS = 1_500;

/** Address of the service that provides the advice. */
export function readAdviceUrl(values: TradeValues, { env }: Terminal): string {
  return typeof values.url === 'string' ? values.url : env.TALLYCAST_URL || 'http://127.0.0.1:8080';
}

export function createClient(values: TradeValues, terminal: Terminal): Tallycast {
  const url = readAdviceUrl(values, terminal);
  const { env } = terminal;
  const apiKey = typeof values.key === 'string' ? values.key : env.TALLYCAST_KEY || undefined;
  // The next cycle sends a new request; retrying here would only make the advice older.
  return createTallycast({ url, apiKey, retries: 0, timeoutMs: ADVICE_TIMEOUT_MS });
}

export async function readPlace(
  client: Tallycast,
  values: TradeValues,
  isLive: boolean,
  wallClock: Clock,
): Promise<TradingPlace> {
  const config = await client.config();
  const accounts = config.accounts.map(({ segment }) => segment);
  const isSimulated = (config.world ?? null) !== null;
  const offsetMs = (await readServiceTime(client)) - wallClock.now();
  const clock = Math.abs(offsetMs) <= MAX_CLOCK_DIFFERENCE_MS ? wallClock : shift(wallClock, offsetMs);
  if (clock !== wallClock && isLive && !isSimulated)
    throw new UsageError(
      `the service's clock differs by ${Math.round(offsetMs / 1000)} s; synchronise the clocks first`,
    );
  if (isSimulated && (config.speed ?? 1) !== 1) throw new UsageError('trading needs a simulator at speed 1');
  // Only a simulator may choose the exchange: a live service must not redirect signed orders.
  const named = isSimulated ? config.simulator_url : undefined;
  const given = typeof values.exchange === 'string' ? values.exchange : undefined;
  const exchange = given ?? named;
  if (isSimulated && (exchange === undefined || isReal(exchange)))
    throw new UsageError(
      'advice from a simulator cannot be traded on a real exchange; pass --exchange SIMULATOR_URL',
    );
  if (given === undefined && named !== undefined && !isLoopback(named))
    throw new UsageError(
      `The service's exchange is on another machine, ${named}. Pass --exchange ${named} if you trust it.`,
    );
  return {
    ...addressesOf(exchange, values),
    isNamedByService: exchange !== undefined && given === undefined,
    clock,
    accounts,
  };
}

/** The real exchange, or a simulator by its address. */
export function addressesOf(
  exchange: string | undefined,
  values: TradeValues,
): Omit<TradingPlace, 'isNamedByService' | 'clock' | 'accounts'> {
  const rpc = typeof values.rpc === 'string' ? { chainUrl: values.rpc } : {};
  if (exchange === undefined || exchange === REAL.url) return { ...REAL, ...rpc };
  if (isReal(exchange)) return { ...REAL, kalshiUrl: exchange.replace(/\/+$/, ''), ...rpc };
  const url = exchange.replace(/\/+$/, '').replace(/\/clob$/, '');
  const socket = typeof values['market-ws'] === 'string' ? values['market-ws'] : undefined;
  const sockets = `${url.replace(/^http/, 'ws')}/clob/ws`;
  return {
    url: `${url}/clob`,
    kalshiUrl: `${url}/kalshi/trade-api/v2`,
    gammaUrl: `${url}/gamma`,
    relayerUrl: `${url}/relayer`,
    chainUrl: `${url}/polygon`,
    socketUrl: socket ?? `${sockets}/market`,
    userSocketUrl: `${sockets}/user`,
    geoblockUrl: null,
    feePaidIn: 'shares',
    ...rpc,
  };
}

/** The same place, wherever the service's simulator has moved; other places stay where they are. */
export function createMovingPlace(
  first: TradingPlace,
  read: () => Promise<TradingPlace>,
): TradingPlace & { relocate?: () => Promise<TradingPlace> } {
  if (!first.isNamedByService) return first;
  let current = first;
  return {
    ...first,
    // A restarted simulator may also start at another time.
    clock: { now: () => current.clock.now(), after: first.clock.after },
    async relocate() {
      const found = await read();
      if (!found.isNamedByService) throw new Error('the service no longer names a simulator');
      current = found;
      return found;
    },
  };
}

/** Kalshi has several hosts, one of them for play money. */
function isReal(exchange: string): boolean {
  const host = URL.parse(exchange)?.hostname ?? '';
  return exchange.startsWith(REAL.url) || /(^|\.)kalshi\.(com|co)$/.test(host);
}

function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

async function readServiceTime(client: Tallycast): Promise<number> {
  const { timestamp } = await client.opportunities({ limit: 1 });
  return timestamp;
}

function shift(clock: Clock, offsetMs: number): Clock {
  return { now: () => clock.now() + offsetMs, after: clock.after };
}

/** Wakes the trader whenever the service reports a change in any account. */
export async function followChanges(
  client: Tallycast,
  accounts: readonly string[],
  wake: () => void,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    accounts.map(async (segment) => {
      for await (const _ of client.follow(segment, { signal })) wake();
    }),
  ).catch(() => {});
}
