// Runs `npm start` on its own simulator, with keys; used by long load runs.

import { mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from '../core/bench.ts';
import { ROOT, type Running, startCommand } from '../core/processes.ts';
import { findFreePort } from './free-port.ts';
import { type IssuedKeys, issueKeys } from './issue-keys.ts';

export interface WholeService {
  pid: number;
  port: number;
  url: string;
  metricsUrl: string;
  simulatorUrl: string;
  simulatorPid: number;
  dataDir: string;
  keys: IssuedKeys;
  /** When the command was spawned, by performance.now() and by the wall clock. */
  startedMs: number;
  startedTs: number;
  /** Stops only the service; the simulator runs until stop(). */
  stopService(): Promise<void>;
  /** Restarts the service on the same simulator, store and port; the old handle becomes invalid. */
  restart(): Promise<WholeService>;
  stop(): Promise<void>;
}

export interface WholeServiceOptions {
  proKeys?: number;
  freeKeys?: number;
  /** Operator settings. */
  env?: Record<string, string>;
  /** Flags after the command. */
  args?: readonly string[];
  simulatorArgs?: readonly string[];
  /** Prepares the data folder before the start. */
  fill?: (dataDir: string) => Promise<void>;
  /** Root folder of the revision to start, which runs its own simulator. */
  root?: string;
  /** Returns as soon as the service is up, before it settles. */
  isAtOnce?: boolean;
}

export async function startWholeService(
  options: BenchOptions,
  {
    proKeys = 50,
    freeKeys = 0,
    env = {},
    args = [],
    simulatorArgs = [],
    fill,
    root = ROOT,
    isAtOnce = false,
  }: WholeServiceOptions = {},
): Promise<WholeService> {
  const dataDir = mkdtempSync(join(options.scratchDir, 'whole-'));
  const keys = await issueKeys(dataDir, proKeys, freeKeys, root);
  await fill?.(dataDir);
  const simulatorCommand = ['bin/tallycast.mjs', 'simulator', '--seed', '5', ...simulatorArgs];
  const simulator = await startCommand(process.execPath, simulatorCommand, {
    until: /"base":"([^"]+)"/,
    cwd: root,
  });
  try {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const command = { cwd: root, args };
    const settings = { ...env, PORT: String(port), DATA_DIR: dataDir, SIMULATOR_URL: simulator.hello };
    let running: Running<string>;
    const begin = async (): Promise<WholeService> => {
      const [startedMs, startedTs] = [performance.now(), Date.now()];
      running = await startService(settings, command);
      return {
        pid: running.pid,
        port,
        url,
        metricsUrl: running.hello,
        simulatorUrl: simulator.hello,
        simulatorPid: simulator.pid,
        dataDir,
        keys,
        startedMs,
        startedTs,
        stopService: () => running.stop(),
        async restart() {
          await running.stop();
          return begin();
        },
        async stop() {
          await running.stop();
          await simulator.stop();
        },
      };
    };
    const whole = await begin();
    if (!isAtOnce) {
      await waitUntilCaughtUp(options, url, keys.INTERNAL);
      await wait(restMs(options));
    }
    return whole;
  } catch (error) {
    await simulator.stop();
    throw error;
  }
}

export interface ServiceCommand {
  cwd?: string;
  /** Flags after the command. */
  args?: readonly string[];
  /** Output line that marks readiness. */
  until?: RegExp;
}

/** Uses the command of `npm start` with production logging, because logging costs time too. */
export function startService(
  env: Record<string, string>,
  { cwd = ROOT, args = [], until = /^metrics: +(\S+)/ }: ServiceCommand = {},
): Promise<Running<string>> {
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
  const script = `exec env ${scripts.start.replace(/^exec /, '')} "$@"`;
  return startCommand('sh', ['-c', script, 'start', ...args], { env: { ...env, PATH }, cwd, until });
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
export function restMs({ isQuick }: BenchOptions): number {
  return isQuick ? 3_000 : 20_000;
}
