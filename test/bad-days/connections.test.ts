// PostgreSQL refuses connections, the whole pool is busy, or the server hangs. Requests served from memory succeed,
// others get a 503, and the service recovers automatically.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTcpGate, type TcpGate } from '../store/tcp-gate.ts';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { createDatabase, runSql } from '../support/postgres.ts';

const ROLE = `badday_${process.pid}`;
/** More connections than the pool has. */
const CALLERS = 16;

describe('a service without PostgreSQL connections', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let service: BootedService;
  let gate: TcpGate;
  let keys: Record<'FREE' | 'INTERNAL', string>;
  let registered = 0;

  before(async () => {
    database = await createDatabase();
    // Connection limits do not apply to superusers.
    await runSql(database.url, `create role ${ROLE} login password 'test'`);
    await runSql(
      database.url,
      `alter database ${database.name} owner to ${ROLE}; grant all on schema public to ${ROLE}`,
    );
    const url = new URL(database.url);
    url.username = ROLE;
    gate = await createTcpGate(Number(url.port));
    url.port = String(gate.port);
    service = await bootService({ env: { DATABASE_URL: url.toString() } });
    keys = { FREE: await service.issueKey('FREE'), INTERNAL: await service.issueKey('INTERNAL') };
    // Cache the known keys, because a new key needs a lookup.
    await readsGoOn();
  });
  after(async () => {
    await gate.close();
    await database.drop();
    await runSql(database.url.replace(database.name, 'postgres'), `drop role ${ROLE}`);
  });

  async function read(path: string, key: keyof typeof keys): Promise<number> {
    const response = await fetch(`${service.url}/api/v1${path}`, { headers: { 'X-API-Key': keys[key] } });
    await response.arrayBuffer();
    return response.status;
  }

  /** Sends a request that needs the database. */
  async function register(): Promise<Response> {
    const body = JSON.stringify({ type: 'human', case: 'c', email: `p${++registered}@example.org` });
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': keys.INTERNAL };
    return fetch(`${service.url}/api/v1/waitlist`, { method: 'POST', headers, body });
  }

  async function readsGoOn(): Promise<void> {
    const paths = ['/meta/account_a', '/prediction/account_b', '/meta/account_a/tweets'];
    for (const path of paths) assert.equal(await read(path, 'FREE'), 200, path);
  }

  async function toldToComeAgain(response: Response): Promise<void> {
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('Retry-After')) > 0);
    await response.arrayBuffer();
  }

  async function isWhole(): Promise<boolean> {
    const response = await register();
    await response.arrayBuffer();
    return response.status === 200 && service.app.isLeading();
  }

  it('serves from memory while connections are refused, and recovers automatically', async () => {
    assert.ok(await isWhole());
    const counted = service.app.board.find('a')!.totalPosts;
    await runSql(database.url, `alter role ${ROLE} connection limit 0`);
    await runSql(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`,
    );
    await waitUntil(() => !service.app.isLeading());
    await toldToComeAgain(await register());
    await readsGoOn();
    service.app.simulator!.simulator!.injectPost({ accountId: 'a' });
    await runSql(database.url, `alter role ${ROLE} connection limit -1`);
    await waitUntil(isWhole);
    await waitUntil(() => service.app.board.find('a')!.totalPosts > counted);
  });

  it('serves from memory while the whole pool is blocked, and recovers automatically', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table waitlist in access exclusive mode');
    const waiting = Array.from({ length: CALLERS }, register);
    await waitUntil(async () => {
      await holder.query('select pg_stat_clear_snapshot()');
      const { rows } = await holder.query<{ held: number }>(
        `select count(*)::int as held from pg_stat_activity where usename = '${ROLE}' and wait_event_type = 'Lock'`,
      );
      return rows[0]!.held >= 5;
    });
    await readsGoOn();
    for (const response of await Promise.all(waiting)) await toldToComeAgain(response);
    await holder.query('rollback');
    await holder.end();
    await waitUntil(isWhole);
  });

  it('serves from memory while the server hangs, and stops', async () => {
    gate.stick();
    for (let round = 0; round < 5; round++) await readsGoOn();
    // The suite's time limit reports a hang.
    await service.stop();
  });
});
