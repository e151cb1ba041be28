// Sets a marker value for every secret, makes everything that uses them fail against a server that echoes each
// request, and searches all output, logs and responses for the markers.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SETTINGS } from '../../src/config/all-settings.ts';
import type { Setting } from '../../src/config/setting-declaration.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { samplePayment } from '../store/samples.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { type LocalServer, serve } from '../support/local-server.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MARK = 'pl4ntedpl4nted';
const HEX_MARK = 'feedfacefeedface';
/** The only secret stored in a file. */
const PRIVATE_KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;
/** Matches the marker itself, and in a base64-encoded proxy login. */
const PLANTED = new RegExp(
  `${MARK}|${HEX_MARK}|${Buffer.from(`reader:${MARK}`).toString('base64').slice(0, 24)}`,
  'i',
);

const PAYLOAD = {
  x402Version: 2,
  accepted: {
    ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', maxTimeoutSeconds: 120 },
    ...{ asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', payTo: `0x${'12'.repeat(20)}` },
    extra: { name: 'USDC', version: '2' },
  },
  payload: {
    signature: `0x${'11'.repeat(65)}`,
    authorization: {
      ...{ from: `0x${'34'.repeat(20)}`, to: `0x${'12'.repeat(20)}`, value: '10000' },
      ...{ validAfter: '0', validBefore: '9999999999', nonce: `0x${'56'.repeat(32)}` },
    },
  },
};

let echo: LocalServer;
let dataDir: string;

/** Makes a marker value in each secret's format; add new formats here. */
function plant(): Record<string, string> {
  const address = echo.url.replace('http://', '');
  const secrets: readonly Setting[] = SETTINGS.filter((setting: Setting) => setting.isSecret);
  return Object.fromEntries(
    secrets.map(({ name, pattern }, i) => {
      const forms = [
        `${MARK}${i}`,
        `0x${HEX_MARK.repeat(4)}`,
        `1000000001:${MARK}${i}${'x'.repeat(30)}`,
        `postgres://tally:${MARK}${i}@${address}/tally`,
        name.endsWith('_PROXY') ? `http://reader:${MARK}${i}@${address}` : `${echo.url}/v2/${MARK}${i}`,
      ];
      const form = forms.find((text) => !pattern || pattern.test(text));
      assert.ok(form, `no marker value for ${name}`);
      return [name, form];
    }),
  );
}

before(async () => {
  echo = await serve((req, res) => {
    res.writeHead(500, { 'content-type': 'text/plain' });
    res.end(`cannot ${req.method} ${req.url} with ${JSON.stringify(req.headers)}`);
  });
  dataDir = makeTempFolder('secrets');
  writeFileSync(join(dataDir, 'kalshi.pem'), PRIVATE_KEY, { mode: 0o600 });
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  // As if left over by a crash, so that the service asks its facilitator immediately.
  const payload = JSON.stringify({ payload: PAYLOAD, requirements: PAYLOAD.accepted });
  await store.payments.insert(samplePayment({ payload, createdTs: systemClock.now() }), '{}');
  await store.close();
});
after(() => echo.close());

function live(): Record<string, string> {
  const { DATABASE_URL: _, DATABASE_DIRECT_URL: __, ...secrets } = plant();
  const withLogin = echo.url.replace('http://', `http://reader:${MARK}99@`);
  return {
    ...secrets,
    ...{ DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'debug', SOURCES: 'live' },
    ...{ ACCOUNT_A_HANDLE: 'one', ACCOUNT_A_PLATFORM_USER_ID: '1', ACCOUNT_B_PLATFORM_USER_ID: '2' },
    ...{ ACCOUNT_A_SERIES: 'one-posts', ACCOUNT_B_SERIES: 'two-posts' },
    ...{ X_API_BASE_URL: echo.url, MASTODON_BASE_URL: echo.url, ORACLE_BASE_URL: withLogin },
    ...{ MARKET_GAMMA_BASE_URL: echo.url, MARKET_CLOB_BASE_URL: echo.url, MARKET_DATA_BASE_URL: echo.url },
    ...{ KALSHI_BASE_URL: echo.url, KALSHI_WS_URL: echo.url.replace('http', 'ws') },
    ...{ KALSHI_PRIVATE_KEY_FILE: join(dataDir, 'kalshi.pem') },
    ...{ PAYMENTS: 'on', PAY_TO: `0x${'12'.repeat(20)}`, FACILITATOR_URL: `${withLogin}/facilitator` },
  };
}

interface Running {
  /** All output so far. */
  text(): string;
  said(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

function run(command: string, env: Record<string, string>, args: readonly string[] = []): Running {
  const child = spawn(process.execPath, [join(ROOT, 'lab/commands/main.ts'), command, ...args], {
    cwd: dataDir,
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const news = new Set<() => void>();
  const hear = (chunk: Buffer) => {
    printed += chunk.toString();
    for (const look of news) look();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const exited = once(child, 'close').then(() => hear(Buffer.from('\n[ended]\n')));
  return {
    text: () => printed,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(printed);
          if (found) resolve(found);
          else if (printed.includes('[ended]')) reject(new Error(`exited without ${pattern}:\n${printed}`));
        };
        news.add(look);
        look();
      }),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function assertNothingTold(text: string): void {
  const found = PLANTED.exec(text);
  const around = found ? text.slice(Math.max(0, found.index - 300), found.index + 60) : '';
  assert.equal(found, null, `a secret leaked: ...${around}`);
  for (const line of PRIVATE_KEY.split('\n').slice(1, -2)) {
    assert.ok(!text.includes(line), 'part of the private key leaked');
  }
}

describe('secrets', { timeout: 180_000 }, () => {
  it('all have marker values in this test', () => {
    assert.ok(Object.keys(plant()).length >= 12);
  });

  it('do not leak from the service through its log, health, responses or metrics', async () => {
    const service = run('start', live());
    const [, url] = await service.said(/tallycast is running: (\S+)/);
    await service.said(/payment settlement/);
    const answers: string[] = [];
    for (const path of ['/api/v1/health', '/api/v1/meta/account_a', '/api/v1/signals/account_a', '/docs']) {
      answers.push(await (await fetch(`${url}${path}`)).text());
    }
    const metrics = /metrics: (\S+)/.exec(service.text())?.[1];
    if (metrics) answers.push(await (await fetch(metrics)).text());
    await service.stop();
    assertNothingTold(service.text() + answers.join('\n'));
  });

  it('do not leak from a startup that cannot reach the database', async () => {
    const { DATABASE_URL, DATABASE_DIRECT_URL } = plant();
    const service = run('start', {
      ...live(),
      DATABASE_URL: DATABASE_URL!,
      DATABASE_DIRECT_URL: DATABASE_DIRECT_URL!,
    });
    await service.said(/store: /);
    await service.said(/\[ended\]/);
    assertNothingTold(service.text());
  });

  it('do not leak from the commands', async () => {
    const commands: [Running, RegExp][] = [
      [run('config', { ...live(), ...plant() }), /X_BEARER_TOKEN +\*+/],
      [run('doctor', live()), /500/],
      [run('payments', live(), ['list']), /settling/],
      [run('pay', live(), [`${echo.url}/paid`]), /500/],
    ];
    for (const [command, expected] of commands) {
      await command.said(expected);
      await command.said(/\[ended\]/);
      assertNothingTold(command.text());
    }
  });
});
