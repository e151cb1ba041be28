// Runs `npm start` processes on a dedicated PostgreSQL: one that ingests, then API replicas added one by one.

import pg from 'pg';
import { startOwnPostgres } from '../../../test/roles/own-postgres.ts';
import type { Running } from '../core/processes.ts';
import { issueKeys } from './issue-keys.ts';
import { findFreePort, startService } from './whole-service.ts';

export interface Replica {
  pid: number;
  port: number;
  url: string;
}

export interface PostgresFleet {
  leaderPid: number;
  /** Pid of the server process; its sessions are child processes. */
  databasePid: number;
  apis: readonly Replica[];
  proKeys: readonly string[];
  addReplica(): Promise<Replica>;
  countConnections(): Promise<number>;
  stop(): Promise<void>;
}

/** Affects rate limits only while the database is down, which does not happen here. */
const REPLICAS = '4';

export async function startPostgresFleet(simulatorUrl: string, proKeys: number): Promise<PostgresFleet> {
  const postgres = await startOwnPostgres();
  const running: Running<string>[] = [];
  const start = async (role: 'ingest' | 'api', until: RegExp): Promise<Replica> => {
    const port = await findFreePort();
    const env = { DATABASE_URL: postgres.url, SIMULATOR_URL: simulatorUrl, PORT: String(port), REPLICAS };
    const process = await startService(env, {
      args: ['--role', role],
      until,
    });
    running.push(process);
    return { pid: process.pid, port, url: `http://127.0.0.1:${port}` };
  };
  const stop = async () => {
    await Promise.all(running.map((process) => process.stop()));
    await postgres.stop();
  };
  try {
    const keys = await issueKeys({ dataDir: '/nonexistent', databaseUrl: postgres.url }, proKeys);
    const leader = await start('ingest', /(ingest leader)/);
    const apis: Replica[] = [];
    return {
      leaderPid: leader.pid,
      databasePid: postgres.pid(),
      apis,
      proKeys: keys.PRO,
      async addReplica() {
        const replica = await start('api', /^metrics: +(\S+)/);
        apis.push(replica);
        return replica;
      },
      countConnections: () => countConnections(postgres.url),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Excludes this query's own session. */
async function countConnections(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where backend_type = 'client backend' and application_name <> 'bench'`,
  );
  await client.end();
  return rows[0]!.count;
}
