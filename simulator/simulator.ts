// The simulator as one object: time, HTTP entry point, sockets and faults.

import { HOUR_MS } from '../src/domain/units.ts';
import { UsageError } from '../src/runtime/errors.ts';
import { createRandom } from '../src/runtime/random.ts';
import { hashNumbers } from './chance.ts';
import {
  DEFAULT_EXCHANGE,
  type ExchangeSettings,
  openSimulatedExchange,
  type SimulatedExchange,
} from './exchange/simulated-exchange.ts';
import type { FaultSwitch } from './faults/fault-switch.ts';
import type { AdminActions, InjectedPost } from './http/admin-api.ts';
import { createRouter, type SimulatorFetch } from './http/router.ts';
import { checkSignature, isRefused } from './kalshi/signing.ts';
import { type KalshiExchange, openKalshiExchange } from './kalshi-orders/kalshi-exchange.ts';
import { drawPost } from './posts/draw-post.ts';
import { createSimulatorState, type SimulatorOptions } from './simulator-state.ts';
import { openKalshiSocket } from './sockets/kalshi-socket.ts';
import { createMarketSocket } from './sockets/market-socket.ts';
import type { SocketHandler, SocketPeer, SocketSession } from './sockets/simulator-socket.ts';
import { DEMO_WALLET } from './trading/wallets.ts';
import { type EventTruth, type PostTruth, presentEvents, presentPosts } from './truth.ts';
import { KALSHI_SOCKET_PATH, MARKET_SOCKET_PATH, USER_SOCKET_PATH } from './urls.ts';

/** What a client needs to find an account in the simulator. */
export interface SimulatorAccountInfo {
  accountId: string;
  platform: 'x' | 'mastodon';
  handle: string;
  displayName: string;
  platformUserId: string;
  seriesSlugs: string[];
  tagId: string;
}

export interface Simulator {
  readonly seed: number;
  readonly anchorTs: number;
  readonly accounts: readonly SimulatorAccountInfo[];
  readonly demoWallet: string;
  readonly faults: FaultSwitch;
  /** Accepts signed orders. */
  readonly exchange: SimulatedExchange;
  readonly kalshi: KalshiExchange;
  now(): number;
  /** Serves every HTTP route in process; the first path segment selects the system. */
  fetch: SimulatorFetch;
  /** Opens a websocket in process; null if the path is unknown or down. */
  connect(path: string, peer: SocketPeer, headers?: Headers): SocketSession | null;
  injectPost(post: InjectedPost): { id: string; createdTs: number };
  /** When the account's oracle last read the platform. */
  oracleSyncTs(accountId: string): number;
  truePosts(fromTs: number, toTs: number, accountId?: string): PostTruth[];
  trueEvents(endedSinceTs: number): EventTruth[];
}

export const COUNT_MARKETS_TAG_ID = '972';

const SOCKET_FEEDS: Record<string, string> = {
  [MARKET_SOCKET_PATH]: 'market-ws',
  [USER_SOCKET_PATH]: 'user-ws',
};

export function createSimulator(
  options: SimulatorOptions & { exchange?: Partial<ExchangeSettings> },
): Simulator {
  if (options.anchorTs % HOUR_MS !== 0) throw new UsageError('anchorTs must fall on a full hour');
  const state = createSimulatorState(options);
  const exchange = openSimulatedExchange(state, { ...DEFAULT_EXCHANGE, ...options.exchange });
  const kalshi = openKalshiExchange(state);
  let injected = 0;

  const actions: AdminActions = {
    injectPost(order) {
      const account = state.findAccount((one) => one.accountId === order.accountId);
      if (!account) throw new UsageError(`no account ${order.accountId}`);
      const createdTs = state.now();
      const random = createRandom(hashNumbers(state.seedKey, 0x1213, injected++));
      const drawn = drawPost(account.parameters, random, createdTs, order.kind ?? 'original', null);
      const deletedTs = order.deleteAfterMs === undefined ? null : createdTs + order.deleteAfterMs;
      account.ledger.insert({ ...drawn, edits: [], deletedTs });
      return { id: drawn.id, createdTs };
    },
  };

  const sockets: Record<string, SocketHandler> = {
    [MARKET_SOCKET_PATH]: createMarketSocket(state, exchange),
    [USER_SOCKET_PATH]: exchange.openUserChannel,
  };

  /** The venue authenticates by the headers of the request that opens the socket. */
  function connectKalshi(peer: SocketPeer, headers: Headers): SocketSession | null {
    const outcome = checkSignature(state.kalshiMembers, headers, 'GET', KALSHI_SOCKET_PATH, state.now());
    return isRefused(outcome) ? null : openKalshiSocket(state, kalshi.venue, peer);
  }

  return {
    seed: options.seed,
    anchorTs: options.anchorTs,
    demoWallet: DEMO_WALLET,
    faults: state.faults,
    exchange,
    kalshi,
    accounts: state.accounts.map(({ parameters }) => ({
      accountId: parameters.accountId,
      platform: parameters.platform === 'X' ? 'x' : 'mastodon',
      handle: parameters.handle,
      displayName: parameters.displayName,
      platformUserId: parameters.platformUserId,
      seriesSlugs: Object.values(parameters.series),
      tagId: COUNT_MARKETS_TAG_ID,
    })),
    now: state.now,
    fetch: createRouter(state, exchange, kalshi, actions),
    connect(path, peer, headers = new Headers()) {
      const name = path.replace(/\/+$/, '');
      if (name === KALSHI_SOCKET_PATH) return connectKalshi(peer, headers);
      const isDown = state.faults.isOn(`${SOCKET_FEEDS[name]}-down`, state.now());
      return isDown ? null : (sockets[name]?.(peer) ?? null);
    },
    ...actions,
    oracleSyncTs: (accountId) =>
      state.findAccount((one) => one.accountId === accountId)!.oracle.schedule.lastSyncTs(state.now()),
    truePosts: (fromTs, toTs, accountId) => presentPosts(state, fromTs, toTs, accountId ?? null),
    trueEvents: (endedSinceTs) => presentEvents(state, endedSinceTs),
  };
}
