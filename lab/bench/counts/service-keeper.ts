// One service process at a time: started, killed with -9 and started again. An end that was not ordered is a crash.

import { once } from 'node:events';
import { type ChildService, startService } from '../../../test/roles/child-service.ts';

export interface ServiceKeeper {
  /** null while no process answers. */
  url(): string | null;
  /** Simulator times between which no process can have kept what it was handed. */
  readonly kills: { atTs: number }[];
  readonly crashes: string[];
  /** What the processes logged as errors. */
  readonly errors: string[];
  start(): Promise<void>;
  /** kill -9, waited for. */
  kill(): Promise<void>;
  /** The orderly way. */
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
