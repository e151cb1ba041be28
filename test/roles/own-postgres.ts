// A PostgreSQL server for this run only, because tests stop, kill and restart it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import { runSql } from '../support/postgres.ts';
import { findBinFolder, findOwner, serverEnvironment } from '../support/postgres-binaries.ts';

export interface OwnPostgres {
  url: string;
  /** Ends every session and the server, and restarts it on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-roles-pg-'));
  const data = join(folder, 'data');
  const owner = findOwner();
  chmodSync(folder, 0o755);
  mkdirSync(data, { mode: 0o700 });
  if (owner.uid !== undefined) chownSync(data, owner.uid, owner.gid!);
  const bin = findBinFolder(process.env.TEST_POSTGRES, owner, join(folder, 'embedded'));
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr, error } = spawnSync(join(bin, 'initdb'), init, { ...owner, cwd: data });
  if (status !== 0) throw new Error(`initdb failed: ${error ?? stderr}`);
  const port = await findFreePort();
  const url = `postgres://postgres:test@127.0.0.1:${port}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=on'];
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
      ...owner,
      cwd: data,
      env: serverEnvironment(),
      stdio: 'ignore',
    });
    while (!(await answers(url))) await wait(50);
  }

  /** SIGINT is PostgreSQL's fast shutdown, which ends sessions without waiting for them. */
  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    await exited;
  }

  await start();
  return {
    url,
    async restart() {
      await end();
      await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return runSql(url, 'select 1').then(
    () => true,
    () => false,
  );
}
