// Boots the real API on a free port with a manual clock and an embedded store, and sends HTTP requests.

import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createDemoKey } from '../../src/access/demo-key.ts';
import { createKeyService } from '../../src/access/key-service.ts';
import { DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import type { Account } from '../../src/domain/account.ts';
import type { UnreadPosition, WalletPosition } from '../../src/domain/position.ts';
import { createInlineRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { createWhatIf } from '../../src/jobs/forecasting/what-if.ts';
import { createManualClock, type ManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { ApiDependencies } from '../../src/server/context.ts';
import { type Api, createApi } from '../../src/server/server.ts';
import { DEFAULT_USAGE } from '../../src/server/usage/usage-recorder.ts';
import { type Board, createBoard } from '../../src/state/board.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store, Tier } from '../../src/store/ports.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import type { EngineUnderTest } from '../store/engines.ts';
import { createDatabase } from '../support/postgres.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { ACCOUNTS, CRYPTO, createPosition, createSnapshot, NOW_TS } from './fixture.ts';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: number;
  /** Parsed on access; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
  readonly json: any;
}

export interface CallOptions {
  method?: string;
  key?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | Buffer | undefined;
  /** Loopback address to call from; limits apply per address. */
  from?: string;
}

export interface Harness {
  api: Api;
  store: Store;
  board: Board;
  clock: ManualClock;
  keys: Record<Tier, string>;
  /** `wait` is awaited before each response. */
  wallet: {
    positions: WalletPosition[];
    unread: UnreadPosition[];
    calls: number;
    error: Error | null;
    wait: Promise<void> | null;
  };
  port: number;
  /** `path` is relative to the prefix unless it starts with two slashes. */
  call(path: string, options?: CallOptions): Promise<Reply>;
  issue(tier: Tier, label?: string): Promise<{ key: string; keyId: string }>;
  /** Changes the store as an operator would, from another process. */
  revoke(keyId: string): Promise<void>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  /** Accounts A and B by default. */
  accounts?: readonly Account[];
  /** The embedded store by default. */
  engine?: EngineUnderTest;
  settings?: Partial<ApiDependencies['settings']>;
  payments?: ApiDependencies['payments'];
  reach?: ApiDependencies['reach'];
  whatIf?: ApiDependencies['whatIf'];
  /** Issues a demo key, as a service on the simulator does. */
  isDemonstration?: boolean;
  wrapStore?: (store: Store) => Store;
  empty?: boolean;
  logger?: ApiDependencies['logger'];
}

const SETTINGS: ApiDependencies['settings'] = {
  trustedProxyHops: 0,
  publishText: true,
  blankTextOnDeletion: false,
  defaultBankrollUsd: 1000,
  priceUsd: 0.01,
  limits: DEFAULT_LIMITS,
  usesPlainReader: true,
  bodyLimitBytes: 65_536,
  usage: DEFAULT_USAGE,
  webRoot: null,
};

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const dataDir = makeTempFolder('api');
  const clock = createManualClock(NOW_TS);
  const database = options.engine === 'postgres' ? await createDatabase() : null;
  const opened = await openStore({ dataDir, databaseUrl: database?.url, clock, logger: silentLogger });
  const store = options.wrapStore?.(opened) ?? opened;
  const board = createBoard();
  const accounts = options.accounts ?? ACCOUNTS;
  if (!options.empty) {
    for (const { accountId } of accounts) board.replace(createSnapshot(accountId));
    board.publishCrypto(CRYPTO);
  }
  const keyService = createKeyService(opened.keys, clock);
  const wallet: Harness['wallet'] = {
    positions: [
      createPosition(1001, 2, 'Yes'),
      createPosition(1001, 1, 'No'),
      createPosition(2001, 2, 'Yes'),
    ],
    unread: [],
    calls: 0,
    error: null,
    wait: null,
  };
  const keys = {} as Record<Tier, string>;
  for (const tier of ['FREE', 'PRO', 'INTERNAL'] as const) {
    keys[tier] = (await keyService.issue({ tier, label: 'test' })).key;
  }
  const whatIf = createWhatIf({
    accounts,
    board,
    posts: store.posts,
    clock,
    createRunner: createInlineRunner,
  });
  const api = createApi({
    accounts,
    adviserOf: createAdvisers(),
    whatIf: options.whatIf ?? whatIf,
    board,
    store,
    walletSource: {
      async fetchPositions(_wallet, _signal, onUnread) {
        wallet.calls += 1;
        await wallet.wait;
        if (wallet.error) throw wallet.error;
        for (const unread of wallet.unread) onUnread!(unread);
        return wallet.positions;
      },
    },
    clock,
    random: createRandom(1),
    logger: options.logger ?? silentLogger,
    settings: { ...SETTINGS, ...options.settings },
    build: { version: '1.0.0', commit: 'abc1234' },
    payments: options.payments ?? null,
    reach: options.reach,
    ...(options.isDemonstration && { demoKey: createDemoKey(store.keys, clock), simulatorSpeed: 1 }),
  });
  const { port } = await api.listen({ host: '127.0.0.1', port: 0 });
  const agents = new Map<string, Agent>();

  return {
    api,
    store,
    board,
    clock,
    keys,
    wallet,
    port,
    call: (path, call = {}) => {
      const from = call.from ?? '127.0.0.1';
      const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 10, localAddress: from });
      agents.set(from, agent);
      const target = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
      return send(port, target, agent, call);
    },
    async issue(tier, label = 'test') {
      const { key, record } = await keyService.issue({ tier, label });
      return { key, keyId: record.keyId };
    },
    async revoke(keyId) {
      await keyService.revoke(keyId);
    },
    async close() {
      for (const agent of agents.values()) agent.destroy();
      await api.close();
      await opened.close();
      await database?.drop();
    },
  };
}

function send(port: number, path: string, agent: Agent, call: CallOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { ...call.headers };
    if (call.key !== undefined) headers['X-API-Key'] = call.key;
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method: call.method ?? 'GET', headers, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          const text = body.toString();
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            bytes: body.length,
            get json() {
              return parse(text);
            },
          });
        });
      },
    );
    request.on('error', reject);
    request.end(call.body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
