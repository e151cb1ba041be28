// Runs `npm start` on its own simulator, with keys; used by long load runs.

import { mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../../test/support/free-port.ts';
import type { BenchOptions } from '../core/bench.ts';
import { ROOT, type Running, startCommand } from '../core/processes.ts';
import { type IssuedKeys, issueKeys } from './issue-keys.ts';

export interface WholeService {
  pid: number;
  port: number;
  url: string;
  metricsUrl: string;
  simulatorUrl: string;
  dataDir: string;
  keys: IssuedKeys;
  /** When the command was spawned. */
  startedTs: number;
  /** Stops only the service; the simulator runs until stop(). */
  stopService(): Promise<void>;
  stop(): Promise<void>;
}

export interface WholeServiceOptions {
  proKeys?: number;
  freeKeys?: number;
  /** Operator settings. */
  env?: Record<string, string>;
  simulatorArgs?: readonly string[];
  /** Fills the data folder before the service starts. */
  prepare?: (dataDir: string) => Promise<void>;
}

export async function startWholeService(
  options: BenchOptions,
  setting: WholeServiceOptions = {},
): Promise<WholeService> {
  const { proKeys = 50, freeKeys = 0, env = {}, simulatorArgs = [] } = setting;
  const dataDir = mkdtempSync(join(options.scratchDir, 'whole-'));
  const keys = await issueKeys({ dataDir }, proKeys, freeKeys);
  await setting.prepare?.(dataDir);
  const simulatorCommand = ['bin/tallycast.mjs', 'simulator', '--seed', '5', ...simulatorArgs];
  const simulator = await startCommand(process.execPath, simulatorCommand, {
    until: /"base":"([^"]+)"/,
  });
  try {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = { ...env, PORT: String(port), DATA_DIR: dataDir, SIMULATOR_URL: simulator.hello };
    const startedTs = Date.now();
    const running = await startService(settings);
    const whole: WholeService = {
      pid: running.pid,
      port,
      url,
      metricsUrl: running.hello,
      simulatorUrl: simulator.hello,
      dataDir,
      keys,
      startedTs,
      stopService: () => running.stop(),
      async stop() {
        await running.stop();
        await simulator.stop();
      },
    };
    await waitUntilCaughtUp(options, url, keys.INTERNAL);
    await wait(restMs(options));
    return whole;
  } catch (error) {
    await simulator.stop();
    throw error;
  }
}

interface ServiceCommand {
  /** Flags after the command. */
  args?: readonly string[];
  /** Output line that marks readiness. */
  until?: RegExp;
}

/** Uses the command of `npm start` with production logging, because logging costs time too. */
export function startService(
  env: Record<string, string>,
  { args = [], until = /^metrics: +(\S+)/ }: ServiceCommand = {},
): Promise<Running<string>> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
  const script = `exec env ${scripts.start.replace(/^exec /, '')} "$@"`;
  return startCommand('sh', ['-c', script, 'start', ...args], { env: { ...env, PATH }, until });
}

/** Waits for a prediction, which requires that history and forecasts are loaded. */
export async function waitUntilCaughtUp(options: BenchOptions, url: string, key: string): Promise<void> {
  options.say('waiting for the service to catch up');
  const headers = { 'X-API-Key': key };
  for (;;) {
    const response = await fetch(`${url}/api/v1/prediction/account_a`, { headers });
    const { data } = (await response.json()) as { data?: unknown[] };
    if (response.status === 200 && data !== undefined && data.length > 0) break;
    await wait(250);
  }
}

/** How long to wait for the backfill to slow down. */
function restMs({ isQuick }: BenchOptions): number {
  return isQuick ? 3_000 : 20_000;
}

/** Makes a simulated account post now; returns the post's id. */
export async function makePost(simulatorUrl: string, accountId = 'a'): Promise<string> {
  const response = await fetch(new URL('/admin/posts', simulatorUrl), {
    method: 'POST',
    body: JSON.stringify({ accountId, kind: 'original' }),
  });
  if (!response.ok) throw new Error(`the simulator rejected a post: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
