// A PostgreSQL server for this run only, because tests stop, kill and restart it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import { runSql } from '../support/postgres.ts';
import { findBinFolder, findOwner, serverEnvironment } from '../support/postgres-binaries.ts';

export interface OwnPostgres {
  url: string;
  /** Direct URL, bypassing the pooler if `url` is one. */
  directUrl?: string;
  /** Pid of the server process; its sessions are its children. */
  pid(): number;
  /** Ends every session and the server, and restarts it on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface OwnServer extends OwnPostgres {
  readonly port: number;
  readonly folder: string;
  /** Runs a PostgreSQL program as the server's user. */
  run(program: string, args: readonly string[]): void;
  /** Kills the server and every session with -9, as if its machine had failed. */
  kill(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnServer> {
  return startServer((run, data) =>
    run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']),
  );
}

/** Starts a server; `fill` creates its data folder. */
export async function startServer(fill: (run: OwnServer['run'], data: string) => void): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-roles-pg-'));
  const data = join(folder, 'data');
  const owner = findOwner();
  chmodSync(folder, 0o755);
  mkdirSync(data, { mode: 0o700 });
  if (owner.uid !== undefined) chownSync(data, owner.uid, owner.gid!);
  const bin = findBinFolder(process.env.TEST_POSTGRES, owner, join(folder, 'embedded'));
  const run: OwnServer['run'] = (program, args) => {
    const { status, stderr, error } = spawnSync(join(bin, program), args, { ...owner, cwd: data });
    if (status !== 0) throw new Error(`${program} failed: ${error ?? stderr}`);
  };
  fill(run, data);
  const port = await findFreePort();
  const url = `postgres://postgres:test@127.0.0.1:${port}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=on'];
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
      ...owner,
      env: serverEnvironment(),
      cwd: data,
      stdio: 'ignore',
    });
    while (!(await answers(url))) await wait(50);
  }

  /** SIGINT is PostgreSQL's fast shutdown, which ends sessions without waiting for them. */
  async function end(kill: () => void): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    kill();
    await exited;
  }
  const stop = () => end(() => server.kill('SIGINT'));

  await start();
  return {
    url,
    port,
    folder: data,
    run,
    pid: () => server.pid!,
    kill: () => end(() => killTree(server.pid!)),
    async restart() {
      await stop();
      await start();
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sessions have their own process groups, so find them by parent. */
function killTree(pid: number): void {
  const children = globSync('/proc/[0-9]*').filter((folder) => {
    try {
      return readFileSync(join(folder, 'status'), 'utf8').includes(`PPid:\t${pid}\n`);
    } catch {
      return false;
    }
  });
  for (const each of [pid, ...children.map((folder) => Number(basename(folder)))]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function answers(url: string): Promise<boolean> {
  return runSql(url, 'select 1').then(
    () => true,
    () => false,
  );
}
