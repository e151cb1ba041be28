// A real PostgreSQL server for the tests: one per checkout, shared by concurrent test processes. A keeper
// process owns it and stops it when no running process uses it.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface RunningServer {
  port: number;
  keeperPid: number;
}

/** Folder shared by the keeper and its users; each choice of PostgreSQL binaries has its own server. */
function serverFolder(): string {
  const choice = process.env.TEST_POSTGRES ?? 'any';
  const checkout = createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 12);
  return join(tmpdir(), `tallycast-postgres-${process.getuid?.() ?? 0}-${choice}-${checkout}`);
}

export const USERS_FOLDER = 'users';
export const SERVER_FILE = 'server.json';

let databases = 0;
let serving: Promise<RunningServer> | null = null;

function startPostgres(): Promise<RunningServer> {
  serving ??= joinServer(serverFolder());
  return serving;
}

/** Creates a fresh, empty database on the shared server. */
export async function createDatabase(): Promise<{ url: string; name: string; drop: () => Promise<void> }> {
  const { port } = await startPostgres();
  const name = `test_${process.pid}_${++databases}`;
  const adminUrl = databaseUrl(port, 'postgres');
  await runSql(adminUrl, `drop database if exists ${name} with (force)`);
  await runSql(adminUrl, `create database ${name}`);
  return {
    url: databaseUrl(port, name),
    name,
    drop: () => runSql(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isZombie(pid);
}

/** Whether the process is dead but not yet reaped, so that signals to it still succeed. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function databaseUrl(port: number, name: string): string {
  return `postgres://postgres:test@127.0.0.1:${port}/${name}`;
}

/** Keeps the server running as long as this process, even between two suites. */
export function holdServer(folder = serverFolder()): void {
  const userFile = join(folder, USERS_FOLDER, String(process.pid));
  process.once('exit', () => rmSync(userFile, { force: true }));
  signIn(folder);
}

function signIn(folder: string): void {
  mkdirSync(join(folder, USERS_FOLDER), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, USERS_FOLDER, String(process.pid)), '');
}

async function joinServer(folder: string): Promise<RunningServer> {
  holdServer(folder);
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    // Write it every time, because an exiting keeper may have removed the folder.
    signIn(folder);
    const server = findServer(folder);
    if (server && (await answers(server))) return server;
    if (!server) startKeeper(folder);
    await wait(POLL_MS);
  }
  const log = join(folder, 'server.log');
  throw new Error(
    `PostgreSQL did not start:\n${existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : 'no log'}`,
  );
}

export function findServer(folder: string): RunningServer | null {
  try {
    const server = JSON.parse(readFileSync(join(folder, SERVER_FILE), 'utf8')) as RunningServer;
    return isAlive(server.keeperPid) ? server : null;
  } catch {
    return null;
  }
}

async function answers({ port }: RunningServer): Promise<boolean> {
  return runSql(databaseUrl(port, 'postgres'), 'select 1').then(
    () => true,
    () => false,
  );
}

let keeperStartedAtMs = Number.NEGATIVE_INFINITY;

/** Several processes may start a keeper; the lock lets only the first one run. */
function startKeeper(folder: string): void {
  if (performance.now() - keeperStartedAtMs < 3_000) return;
  keeperStartedAtMs = performance.now();
  const script = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));
  const environment = { ...process.env };
  // Without this, the keeper would report to the test runner as a test.
  delete environment.NODE_TEST_CONTEXT;
  spawn(process.execPath, [script, folder], { detached: true, stdio: 'ignore', env: environment }).unref();
}
