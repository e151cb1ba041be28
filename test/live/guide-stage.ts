// Sets up the guide's environment: its configuration in a folder, the simulator under the platforms' host
// names, and its commands as separate processes.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ACCOUNT_A, ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { PRICE_SOCKET_PATH } from '../../simulator/urls.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDE = readFileSync(join(ROOT, 'docs', 'going-live.md'), 'utf8');

const BEARER_TOKEN = 'as-issued';

// biome-ignore lint/suspicious/noExplicitAny: the guide's configuration is changed field by field.
export type GuideConfig = any;

export interface GuideStage {
  simulator: Simulator;
  /** URL of the service that the guide starts. */
  url: string;
  run(args: string[]): ChildProcess;
  outputOf(args: string[]): Promise<{ code: number | null; lines: string[] }>;
  /** Starts the service and collects its output. */
  start(): { said(): string };
  stopService(): Promise<void>;
  close(): Promise<void>;
}

/** The guide's configuration, as written there or changed. */
export async function openGuideStage(
  change: (config: GuideConfig) => GuideConfig = (config) => config,
  env: NodeJS.ProcessEnv = {},
): Promise<GuideStage> {
  const simulator = createGuideSimulator();
  const server = await startSimulatorServer(simulator);
  const folder = makeTempFolder('guide');
  const config = change(JSON.parse(findBlock('json')));
  writeFileSync(join(folder, 'tallycast.config.json'), JSON.stringify(config));
  const url = `http://127.0.0.1:${await freePort()}`;
  let service: ChildProcess | null = null;

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
        X_BEARER_TOKEN: BEARER_TOKEN,
        CRYPTO_API_KEY: 'k',
        CRYPTO_API_SECRET: 's',
        CRYPTO_API_PASSPHRASE: 'p',
        ...env,
      }),
    });
  }

  async function stopService(): Promise<void> {
    if (!service || service.exitCode !== null) return;
    const ended = new Promise((resolve) => service!.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
  }

  return {
    simulator,
    url,
    run,
    async outputOf(args) {
      const child = run(args);
      let out = '';
      child.stdout!.on('data', (chunk) => {
        out += chunk;
      });
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
      return { code, lines: out.trimEnd().split('\n') };
    },
    start() {
      service = run(['start']);
      let out = '';
      service.stdout!.on('data', (chunk) => {
        out += chunk;
      });
      return { said: () => out };
    },
    stopService,
    async close() {
      await stopService();
      await server.close();
    },
  };
}

function createGuideSimulator(): Simulator {
  return createSimulator({
    seed: 7,
    anchorTs: youngAnchorTs(),
    clock: systemClock,
    bearerToken: BEARER_TOKEN,
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
  });
}

function findBlock(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)![1]!;
}

/** Returns the output that the page shows for a command. */
export function shownOf(command: string): string[] {
  const block = [...GUIDE.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].find(
    ([, shown]) => shown === command,
  );
  assert.ok(block, `the page does not show ${command}`);
  return block[2]!.trimEnd().split('\n');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
