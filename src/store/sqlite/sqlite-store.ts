// The embedded store: one file, read on the calling thread, written by one writer thread.

import { EventEmitter } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { giveWay } from '../../runtime/turns.ts';
import { SCHEMA_VERSION } from '../create-schema.ts';
import type { Connection } from '../engine.ts';
import { LostLeadershipError, readEpoch } from '../leader-epoch.ts';
import type { LentPorts, LentSqlite } from '../lent-store.ts';
import type { PortCall } from '../port-call.ts';
import { createPorts, runCall } from '../port-call.ts';
import type { Leadership, SnapshotStore, Store } from '../ports.ts';
import { createWriteHealth } from '../write-health.ts';
import { createKysely, openReadOnly, openWritable } from './connection.ts';
import { prepareSqlite, sqliteEngine, toStoreError } from './sqlite-engine.ts';
import type { Writer } from './writer.ts';
import { borrowWriter, createWriter } from './writer.ts';

export interface SqliteStoreOptions {
  path: string;
  clock: Clock;
  logger: Logger;
}

export function openSqliteStore({ path, clock, logger }: SqliteStoreOptions): Store {
  prepareFile(path, logger);
  const reader = openReadOnly(path);
  const db = createKysely(reader);
  const writer = createWriter(path, logger);
  const health = createWriteHealth(() => writer.send({ kind: 'probe', beat: clock.now() }));
  const leading = createLeading(writer);
  const ports = createPorts({
    read: (call) => readNow({ db, engine: sqliteEngine }, call),
    write: (call) => health.watch(leading.write(call)),
  });
  return {
    engine: 'sqlite',
    ...ports,
    snapshots: withListeners(ports.snapshots),
    lead: () => leading.begin(),
    readEpoch: () => readEpoch(db),
    health: health.check,
    lend: () => ({ engine: 'sqlite', path, leaderEpoch: leading.epoch(), writer: writer.lend() }),
    close: () => closeAll(writer, reader),
  };
}

/** The store on another thread: it reads by itself, and writes through the owner's writer thread. */
export async function borrowSqliteStore(
  { path, leaderEpoch, writer: port }: LentSqlite,
  onEnd: () => void,
): Promise<LentPorts> {
  const reader = openReadOnly(path);
  const db = createKysely(reader);
  const writer = borrowWriter(port, onEnd);
  return {
    ...createPorts({
      read: (call) => readNow({ db, engine: sqliteEngine }, call),
      write: (call) => writer.send({ kind: 'call', call, leaderEpoch }),
    }),
    async close() {
      if (reader.isOpen) reader.close();
      port.close();
    },
  };
}

function prepareFile(path: string, logger: Logger): void {
  try {
    const database = openWritable(path);
    try {
      if (prepareSqlite(database)) logger.info({ version: SCHEMA_VERSION }, 'store created');
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStoreError(error);
  }
}

/** After reads of this long, others get a turn. */
const MAX_CHAIN_MS = 4;

async function readNow(connection: Connection, call: PortCall): Promise<unknown> {
  await giveWay(MAX_CHAIN_MS);
  try {
    return await runCall(connection, call);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Only one process leads at a time; the epoch also guards against a second service on the same file. */
function createLeading(writer: Writer) {
  let leaderEpoch: number | null = null;
  let lost = new AbortController();

  return {
    epoch: () => leaderEpoch,
    async begin(): Promise<Leadership> {
      lost.abort();
      const controller = new AbortController();
      lost = controller;
      leaderEpoch = (await writer.send({ kind: 'lead' })) as number;
      return { epoch: leaderEpoch, lost: controller.signal, release: async () => {} };
    },
    async write(call: PortCall): Promise<unknown> {
      try {
        return await writer.send({ kind: 'call', call, leaderEpoch });
      } catch (error) {
        if (error instanceof LostLeadershipError) lost.abort(error);
        throw error;
      }
    },
  };
}

/** Notifies only this process; other processes poll versions(). */
function withListeners(snapshots: Omit<SnapshotStore, 'listen'>): SnapshotStore {
  const changes = new EventEmitter<{ change: [name: string, version: number] }>();
  return {
    ...snapshots,
    async put(name, version, body) {
      await snapshots.put(name, version, body);
      changes.emit('change', name, version);
    },
    async append(saved, wholes) {
      await snapshots.append(saved, wholes);
      for (const { name, version } of [...wholes, ...saved]) changes.emit('change', name, version);
    },
    async listen(onChange) {
      changes.on('change', onChange);
      return async () => {
        changes.off('change', onChange);
      };
    },
  };
}

async function closeAll(writer: Writer, reader: DatabaseSync): Promise<void> {
  // Closes the reader first, because the last connection to close folds the log into the file.
  if (reader.isOpen) reader.close();
  await writer.close();
}
