// Owns the test server: starts it, tracks its users, and stops it and cleans up when there are none left. Run
// as: node test/support/postgres-keeper.ts FOLDER

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { findServer, isAlive, SERVER_FILE, USERS_FOLDER } from './postgres.ts';
import type { ProcessOwner } from './postgres-binaries.ts';
import { findBinFolder, findOwner, serverEnvironment } from './postgres-binaries.ts';

const WATCH_PERIOD_MS = 500;
/** Allows for the gap between the end of one test file and the start of the next. */
const LINGER_MS = 5_000;

const folder = process.argv[2]!;
const lockFile = join(folder, 'keeper.lock');
const dataFolder = join(folder, 'data');

mkdirSync(join(folder, USERS_FOLDER), { recursive: true });
if (!findServer(folder) && takeLock()) await keep();

async function keep(): Promise<void> {
  stopLeftover();
  const owner = findOwner();
  const { server, announcement } = await startServer(owner);
  const exited = once(server, 'exit');
  await Promise.race([watchUntilUnwanted(announcement), exited]);
  rmSync(join(folder, SERVER_FILE), { force: true });
  server.kill('SIGINT');
  await exited;
  rmSync(folder, { recursive: true, force: true });
}

function takeLock(): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      const holder = existsSync(lockFile) ? Number(readFileSync(lockFile, 'utf8')) : 0;
      if (holder > 0 && isAlive(holder)) return false;
      rmSync(lockFile, { force: true });
    }
  }
  return false;
}

/** Removes what a killed keeper left behind. */
function stopLeftover(): void {
  const pidFile = join(dataFolder, 'postmaster.pid');
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGQUIT');
  }
  rmSync(join(folder, SERVER_FILE), { force: true });
  rmSync(dataFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function startServer(owner: ProcessOwner): Promise<{ server: ChildProcess; announcement: string }> {
  mkdirSync(dataFolder, { mode: 0o700 });
  chmodSync(folder, 0o755);
  if (owner.uid !== undefined) chownSync(dataFolder, owner.uid, owner.gid!);
  const log = openSync(join(folder, 'server.log'), 'a');
  const binFolder = findBinFolder(process.env.TEST_POSTGRES, owner, join(folder, 'embedded'));
  const initdb = spawnSync(
    join(binFolder, 'initdb'),
    ['-D', dataFolder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...owner, cwd: dataFolder, stdio: ['ignore', log, log] },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error ?? initdb.status}`);
  const port = await findFreePort();
  const server = spawn(join(binFolder, 'postgres'), serverArguments(port), {
    ...owner,
    env: serverEnvironment(),
    cwd: dataFolder,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const announcement = JSON.stringify({ port, keeperPid: process.pid });
  announce(announcement);
  return { server, announcement };
}

function serverArguments(port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    // Keep full durability, because the tests check it.
    fsync: 'on',
  };
  return [
    '-D',
    dataFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Users retry until they can connect, so the address can be written before the server is ready. */
function announce(announcement: string): void {
  const draft = join(folder, `${SERVER_FILE}.new`);
  writeFileSync(draft, announcement);
  renameSync(draft, join(folder, SERVER_FILE));
}

async function watchUntilUnwanted(announcement: string): Promise<void> {
  for (;;) {
    await watchUsers();
    // The server can no longer be found; a user that found it just before has registered by the end of the wait.
    rmSync(join(folder, SERVER_FILE), { force: true });
    await wait(WATCH_PERIOD_MS);
    if (!hasLivingUser()) return;
    announce(announcement);
  }
}

async function watchUsers(): Promise<void> {
  let unusedSinceMs = performance.now();
  while (performance.now() - unusedSinceMs < LINGER_MS) {
    await wait(WATCH_PERIOD_MS);
    if (hasLivingUser()) unusedSinceMs = performance.now();
  }
}

function hasLivingUser(): boolean {
  const users = readdirSync(join(folder, USERS_FOLDER));
  return users.some((user) => isAlive(Number(user)));
}
