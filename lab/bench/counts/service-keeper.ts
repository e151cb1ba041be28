// One service process at a time: started, killed with -9 and restarted. An unexpected exit is a crash.

import { once } from 'node:events';
import { type ChildService, startService } from '../../../test/roles/child-service.ts';

export interface ServiceKeeper {
  /** null while no process answers. */
  url(): string | null;
  /** Simulated times between which no process could have stored a delivery. */
  readonly kills: { atTs: number }[];
  readonly crashes: string[];
  /** Errors logged by the processes. */
  readonly errors: string[];
  start(): Promise<void>;
  /** kill -9, awaited. */
  kill(): Promise<void>;
  /** A clean stop. */
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
        if (service === fresh) keeper.crashes.push(`${name} ended by itself: ${code ?? signal}`);
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
