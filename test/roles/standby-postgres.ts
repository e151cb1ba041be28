// A primary with a synchronous standby behind one address, as with a floating IP or a proxy.

import { createTcpGate } from '../store/tcp-gate.ts';
import { runSql } from '../support/postgres.ts';
import { type OwnPostgres, startOwnPostgres, startServer } from './own-postgres.ts';

export interface PostgresPair extends OwnPostgres {
  /** Kills the primary with -9; resolves when the standby is promoted and has taken over its address. */
  failOver(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startOwnPostgres();
  const standby = await startServer((_, data) => {
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
    primary.run('pg_basebackup', [...from, '-D', data, '-R', '-X', 'stream', '--no-sync', '-c', 'fast']);
  });
  // The standby has already read its settings, so once promoted it waits for no other standby.
  await runSql(primary.url, "alter system set synchronous_standby_names = '*'");
  await runSql(primary.url, 'select pg_reload_conf()');
  const gate = await createTcpGate(primary.port);
  return {
    url: `postgres://postgres:test@127.0.0.1:${gate.port}/postgres`,
    pid: primary.pid,
    restart: primary.restart,
    async failOver() {
      await primary.kill();
      standby.run('pg_ctl', ['promote', '-D', standby.folder, '-w']);
      gate.switchTo(standby.port);
    },
    async stop() {
      await gate.close();
      await standby.stop();
      await primary.stop();
    },
  };
}
