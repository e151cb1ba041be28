// Follows docs/going-live.md literally: writes its configuration, runs its commands against the simulator under the
// platforms' host names, and compares their output with the page. Numbers are not compared.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ACCOUNT_A, ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { waitUntil, youngAnchorTs } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { findFreePort } from '../support/free-port.ts';
import { makeTempFolder } from '../support/temp-store.ts';

// Sets up the guide's environment: its configuration in a folder, the simulator under the platforms' host
// names, and its commands as separate processes.

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDE = readFileSync(join(ROOT, 'docs', 'going-live.md'), 'utf8');

const BEARER_TOKEN = 'as-issued';

async function openGuideStage() {
  const simulator = createGuideSimulator();
  const server = await startSimulatorServer(simulator);
  const folder = makeTempFolder('guide');
  writeFileSync(join(folder, 'tallycast.config.json'), /```json\n([\s\S]*?)```/.exec(GUIDE)![1]!);
  const url = `http://127.0.0.1:${await findFreePort()}`;
  let service: ChildProcess | null = null;

  function run(args: string[]): ChildProcess {
    const preload = join(ROOT, 'test', 'live', 'platform-hosts.mjs');
    return spawn(process.execPath, ['--import', preload, join(ROOT, 'src/bin/tallycast.ts'), ...args], {
      cwd: folder,
      env: childEnvironment({
        HOME: folder,
        PLATFORM_SIMULATOR: server.urls.base,
        PORT: new URL(url).port,
        TALLYCAST_URL: url,
        LOG_LEVEL: 'silent',
        X_BEARER_TOKEN: BEARER_TOKEN,
      }),
    });
  }

  return {
    url,
    async outputOf(args: string[]) {
      const child = run(args);
      let out = '';
      child.stdout!.on('data', (chunk) => {
        out += chunk;
      });
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
      return { code, lines: out.trimEnd().split('\n') };
    },
    /** Starts the service and collects its output. */
    start() {
      service = run(['start']);
      let out = '';
      service.stdout!.on('data', (chunk) => {
        out += chunk;
      });
      return { said: () => out };
    },
    async close() {
      const ended = service && once(service, 'exit');
      service?.kill('SIGTERM');
      await ended;
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

/** Returns the output that the page shows for a command. */
function shownOf(command: string): string[] {
  const block = [...GUIDE.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].find(
    ([, shown]) => shown === command,
  );
  assert.ok(block, `the page does not show ${command}`);
  return block[2]!.trimEnd().split('\n');
}

let stage: Awaited<ReturnType<typeof openGuideStage>>;

before(async () => {
  stage = await openGuideStage();
});

after(() => stage.close());

const mask = (line: string) =>
  line
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/\([0-9a-f]{7,40}(?:-dirty)?\)/, '(commit)')
    .replace(/-?\d[\d,.:TZ-]*/g, '0')
    .replace(/\b0 (min|h|s) ago/g, '0 ago')
    .replace(/ {2,}/g, '  ')
    .trimEnd();

describe('the guide', () => {
  it("shows the doctor's output", async () => {
    const { code, lines } = await stage.outputOf(['doctor']);
    assert.equal(code, 0, lines.join('\n'));
    assert.deepEqual(lines.map(mask), shownOf('npx tallycast doctor').map(mask), lines.join('\n'));
  });

  it('shows the output of start', async () => {
    const { said } = stage.start();
    const shown = shownOf('npx tallycast start');
    await waitUntil(() => said().split('\n').length > shown.length);
    assert.deepEqual(said().split('\n').slice(0, shown.length).map(mask), shown.map(mask));
  });

  it('shows the output of status once every feed has responded', async () => {
    let lines: string[] = [];
    // On a busy machine a feed may be late between two checks.
    await waitUntil(async () => {
      const response = await fetch(`${stage.url}/api/v1/health`).catch(() => null);
      if (((await response?.json()) as { status: string } | undefined)?.status !== 'ok') return false;
      const said = await stage.outputOf(['status']);
      lines = said.lines;
      return said.code === 0;
    });
    const shown = shownOf('npx tallycast status');
    assert.deepEqual(lines.slice(0, shown.length).map(mask), shown.map(mask), lines.join('\n'));
  });
});
