// Runs one service process at a time: starts it, kills it with SIGKILL and restarts it. An unexpected exit is
// a crash.

import { once } from 'node:events';
import { type ChildService, startService } from '../../../test/roles/child-service.ts';

export interface ServiceKeeper {
  /** null while no process responds. */
  url(): string | null;
  /** Simulated times of the kills; deliveries in flight at these times may be lost. */
  readonly kills: { atTs: number }[];
  readonly crashes: string[];
  /** Errors logged by the processes. */
  readonly errors: string[];
  start(): Promise<void>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Stops the process cleanly. */
  stop(): Promise<void>;
}

export interface KeeperOptions {
  env: () => Record<string, string>;
  simulatorNow: () => Promise<number>;
}

export function createServiceKeeper({ env, simulatorNow }: KeeperOptions): ServiceKeeper {
  let service: ChildService | null = null;
  let started = 0;
  const keeper: ServiceKeeper = {
    url: () => service?.url ?? null,
    kills: [],
    crashes: [],
    errors: [],
    async start() {
      const name = `process ${++started}`;
      const fresh = await startService({ name, args: [], env: env() });
      fresh.child.once('exit', (code, signal) => {
        keeper.errors.push(...fresh.warnings.map((line) => `${name}: ${line}`));
        if (service === fresh) keeper.crashes.push(`${name} exited unexpectedly: ${code ?? signal}`);
      });
      service = fresh;
    },
    async kill() {
      const old = take();
      if (!old) return;
      const exited = once(old.child, 'exit');
      old.kill('SIGKILL');
      await exited;
      keeper.kills.push({ atTs: await simulatorNow() });
    },
    async stop() {
      await take()?.stop(30_000);
    },
  };

  function take(): ChildService | null {
    const old = service;
    service = null;
    return old;
  }
  return keeper;
}
