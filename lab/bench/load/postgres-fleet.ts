// Runs `npm start` processes on a dedicated PostgreSQL: one that ingests, and API replicas.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startOwnPostgres } from '../../../test/roles/own-postgres.ts';
import { youngAnchorTs } from '../../../test/support/boot.ts';
import { findFreePort } from '../../../test/support/free-port.ts';
import type { BenchOptions } from '../core/bench.ts';
import { type Running, startCommand } from '../core/processes.ts';
import { type IssuedKeys, issueKeys } from './issue-keys.ts';
import { startService, waitUntilCaughtUp } from './whole-service.ts';

export interface PostgresFleet {
  apis: readonly { pid: number; port: number }[];
  simulatorUrl: string;
  keys: IssuedKeys;
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startPostgresFleet(
  options: BenchOptions,
  replicas: number,
  env: Record<string, string> = {},
): Promise<PostgresFleet> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const keep = (running: Running<string>) => {
    closers.push(running.stop);
    return running;
  };
  try {
    const postgres = await startOwnPostgres();
    closers.push(postgres.stop);
    const command = ['bin/tallycast.mjs', 'simulator', '--seed', '5', '--anchor', String(youngAnchorTs())];
    const simulator = keep(await startCommand(process.execPath, command, { until: /"base":"([^"]+)"/ }));
    const dataDir = join(options.scratchDir, 'fleet');
    const keys = await issueKeys({ dataDir, databaseUrl: postgres.url }, 50);
    const settings = {
      ...{ DATABASE_URL: postgres.url, SIMULATOR_URL: simulator.hello, REPLICAS: String(replicas) },
      ...{ ...env, DATA_DIR: dataDir },
    };
    keep(await startService(settings, { args: ['--role', 'ingest'], until: /(ingest leader)/ }));
    const apis: { pid: number; port: number }[] = [];
    for (let i = 0; i < replicas; i++) {
      const port = await findFreePort();
      const { pid } = keep(
        await startService({ ...settings, PORT: String(port) }, { args: ['--role', 'api'] }),
      );
      apis.push({ pid, port });
      await waitUntilCaughtUp(options, `http://127.0.0.1:${port}`, keys.INTERNAL);
    }
    // The backfill must be over, because its CPU would count as the load's.
    await wait(options.isQuick ? 4_000 : 40_000);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
    closers.push(() => pool.end());
    return {
      ...{ apis, keys, stop, simulatorUrl: simulator.hello },
      query: async (text, values) => (await pool.query(text, values)).rows,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
