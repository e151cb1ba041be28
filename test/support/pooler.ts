// Runs pgbouncer in transaction mode in front of a test server.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { runSql } from './postgres.ts';
import { findOwner } from './postgres-binaries.ts';
import { makeTempFolder } from './temp-store.ts';

export interface Pooler {
  url: string;
  stop(): Promise<void>;
}

const START_WITHIN_MS = 20_000;

/** null if pgbouncer is not installed. */
export function findPooler(): string | null {
  const names = ['pgbouncer', '/usr/sbin/pgbouncer'];
  return names.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

/** Fewer sessions than clients, so that they are shared. */
export async function startPooler(program: string, databaseUrl: string, sessions = 2): Promise<Pooler> {
  const folder = makeTempFolder('pooler');
  const direct = new URL(databaseUrl);
  const port = await findFreePort();
  const settings = join(folder, 'pgbouncer.ini');
  const target = `host=127.0.0.1 port=${direct.port} user=postgres`;
  writeFileSync(
    settings,
    `[databases]\n* = ${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = ${sessions}\n`,
  );
  chmodSync(folder, 0o755);
  // pgbouncer refuses to run as root.
  const child = spawn(program, [settings], { ...findOwner(), cwd: folder, stdio: 'ignore' });
  const pooled = new URL(databaseUrl);
  pooled.port = String(port);
  const deadline = performance.now() + START_WITHIN_MS;
  while (
    !(await runSql(pooled.href, 'select 1').then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error('pgbouncer did not start');
    await wait(50);
  }
  return {
    url: pooled.href,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
