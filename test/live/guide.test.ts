// docs/going-live.md, followed literally: its configuration written down, its commands run against the simulator
// under the platforms' own host names, and what they print compared with what the page shows. Figures differ from run to
// run, so that every number stands for any.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ACCOUNT_A, ACCOUNT_B } from '../../lab/simulator/account-parameters.ts';
import { type SimulatorServer, startSimulatorServer } from '../../lab/simulator/server.ts';
import { createSimulator, PRICE_SOCKET_PATH } from '../../lab/simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { waitUntil, youngAnchorTs } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDE = readFileSync(join(ROOT, 'docs', 'going-live.md'), 'utf8');

let server: SimulatorServer;
let folder: string;
let url: string;
let service: ChildProcess | null = null;

before(async () => {
  server = await startSimulatorServer(
    createSimulator({
      seed: 7,
      anchorTs: youngAnchorTs(),
      clock: systemClock,
      accounts: [
        {
          ...ACCOUNT_A,
          handle: 'elonmusk',
          platformUserId: '44196397',
          series: { '2d': 'elon-tweets-48h', '7d': 'elon-tweets', month: 'elon-tweet-daily' },
        },
        {
          ...ACCOUNT_B,
          handle: 'realDonaldTrump',
          platformUserId: '107780257626128497',
          series: {
            '2d': 'trump-truth-social-48h',
            '7d': 'trump-truth-social',
            month: 'trump-truth-social-monthly',
          },
        },
      ],
    }),
  );
  folder = mkdtempSync(join(tmpdir(), 'tallycast-guide-'));
  writeFileSync(join(folder, 'tallycast.config.json'), findBlock('json'));
  url = `http://127.0.0.1:${await freePort()}`;
});

after(async () => {
  if (service && service.exitCode === null) {
    const ended = new Promise((resolve) => service!.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
  }
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function findBlock(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)![1]!;
}

/** What the page shows under a command. */
function shownOf(command: string): string[] {
  const block = [...GUIDE.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].find(
    ([, told]) => told === command,
  );
  assert.ok(block, `the page shows ${command}`);
  return block[2]!.trimEnd().split('\n');
}

const mask = (line: string) =>
  line
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/\([0-9a-f]{7,40}(?:-dirty)?\)/, '(commit)')
    .replace(/-?\d[\d,.:TZ-]*/g, '0')
    .replace(/\b0 (min|h|s) ago/g, '0 ago')
    .replace(/ {2,}/g, '  ')
    .trimEnd();

function run(args: string[]): ChildProcess {
  const preload = join(ROOT, 'test', 'live', 'platform-hosts.mjs');
  return spawn(process.execPath, ['--import', preload, join(ROOT, 'src/bin/tallycast.ts'), ...args], {
    cwd: folder,
    env: childEnvironment({
      HOME: folder,
      PLATFORM_SIMULATOR: server.urls.base,
      PLATFORM_PRICES: PRICE_SOCKET_PATH.replace(/\/ws$/, ''),
      PORT: new URL(url).port,
      TALLYCAST_URL: url,
      LOG_LEVEL: 'silent',
      X_BEARER_TOKEN: 'as-issued',
      CRYPTO_API_KEY: 'k',
      CRYPTO_API_SECRET: 's',
      CRYPTO_API_PASSPHRASE: 'p',
    }),
  });
}

async function outputOf(args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = run(args);
  let out = '';
  child.stdout!.on('data', (chunk) => {
    out += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, lines: out.trimEnd().split('\n') };
}

describe('the guide', () => {
  it('shows what the doctor says', async () => {
    const { code, lines } = await outputOf(['doctor']);
    assert.equal(code, 0, lines.join('\n'));
    assert.deepEqual(lines.map(mask), shownOf('npx tallycast doctor').map(mask), lines.join('\n'));
  });

  it('shows what a start prints', async () => {
    service = run(['start']);
    let out = '';
    service.stdout!.on('data', (chunk) => {
      out += chunk;
    });
    const shown = shownOf('npx tallycast start');
    await waitUntil(() => out.split('\n').length > shown.length);
    assert.deepEqual(out.split('\n').slice(0, shown.length).map(mask), shown.map(mask));
  });

  it('shows what status says once every feed has answered', async () => {
    let lines: string[] = [];
    // On a busy machine a feed may be late again between two looks.
    await waitUntil(async () => {
      const response = await fetch(`${url}/api/v1/health`).catch(() => null);
      if (((await response?.json()) as { status: string } | undefined)?.status !== 'ok') return false;
      const said = await outputOf(['status']);
      lines = said.lines;
      return said.code === 0;
    });
    const shown = shownOf('npx tallycast status');
    assert.deepEqual(lines.slice(0, shown.length).map(mask), shown.map(mask), lines.join('\n'));
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
