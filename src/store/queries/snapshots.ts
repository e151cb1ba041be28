// Per name, a whole snapshot and the observations since. Versions never decrease.

import { sql } from 'kysely';
import type { Connection } from '../engine.ts';
import type { ObservationsTable, SnapshotsTable } from '../schema.ts';
import { type Columns, insertNew } from './many-rows.ts';

export type SavedSnapshot = SnapshotsTable;
export type SavedObservation = ObservationsTable;

const OBSERVATION_COLUMNS: Columns<SavedObservation> = {
  name: 'text',
  version: 'bigint',
  ts: 'bigint',
  body: 'text',
};

export function createSnapshotQueries(connection: Connection) {
  const { db, engine } = connection;

  async function putWhole(whole: SavedSnapshot): Promise<void> {
    await db
      .insertInto('snapshots')
      .values(whole)
      .onConflict((conflict) =>
        conflict
          .column('name')
          // Refers to the excluded row, because passing the large body twice would send it twice.
          .doUpdateSet((eb) => ({ version: eb.ref('excluded.version'), body: eb.ref('excluded.body') }))
          .whereRef('excluded.version', '>=', 'snapshots.version'),
      )
      .execute();
  }

  /** Keeps the observations since the whole snapshot before, for readers that are a little behind. */
  async function dropOldObservations(name: string): Promise<void> {
    await db
      .deleteFrom('observations')
      .where('name', '=', name)
      .where('version', '<=', (eb) => eb.selectFrom('snapshots').select('version').where('name', '=', name))
      .execute();
  }

  return {
    async put(name: string, version: number, body: string) {
      await putWhole({ name, version, body });
      await engine.announceSnapshots(db, [{ name, version }]);
    },

    /** Stores observations, and whole snapshots to replay them on. */
    async append(observations: readonly SavedObservation[], wholes: readonly SavedSnapshot[]) {
      // A lost snapshot is rebuilt from its rows, so it need not wait for the disk.
      await engine.commitWithoutWaiting(db);
      for (const whole of wholes) {
        await dropOldObservations(whole.name);
        await putWhole(whole);
      }
      await insertNew(connection, 'observations', OBSERVATION_COLUMNS, observations);
      const newest = new Map([...wholes, ...observations].map(({ name, version }) => [name, version]));
      await engine.announceSnapshots(
        db,
        [...newest].map(([name, version]) => ({ name, version })),
      );
    },

    /** The last whole snapshot. */
    async find(name: string) {
      const row = await db
        .selectFrom('snapshots')
        .select(['version', 'body'])
        .where('name', '=', name)
        .executeTakeFirst();
      return row && { ...row };
    },

    /** What was observed after each given version, in order. */
    async observationsAfter(
      known: readonly { name: string; version: number }[],
    ): Promise<SavedObservation[]> {
      if (engine.name === 'postgres') {
        const names = sql`${known.map(({ name }) => name)}::text[]`;
        const versions = sql`${known.map(({ version }) => version)}::bigint[]`;
        const { rows } = await sql<SavedObservation>`
          select kept.name, kept.version, kept.ts, kept.body
          from unnest(${names}, ${versions}) as known(name, version)
          join observations as kept on kept.name = known.name and kept.version > known.version
          order by kept.name, kept.version`.execute(db);
        return rows;
      }
      const found = known.map(({ name, version }) =>
        db
          .selectFrom('observations')
          .selectAll()
          .where('name', '=', name)
          .where('version', '>', version)
          .orderBy('version')
          .execute(),
      );
      return (await Promise.all(found)).flat().map((row) => ({ ...row }));
    },

    /** The newest version of each name. */
    async versions() {
      const rows = await db
        .selectFrom('snapshots')
        .select((eb) => [
          'name',
          'version',
          eb
            .selectFrom('observations')
            .select((inner) => inner.fn.max('version').as('newest'))
            .whereRef('observations.name', '=', 'snapshots.name')
            .as('newest'),
        ])
        .orderBy('name')
        .execute();
      return rows.map(({ name, version, newest }) => ({ name, version: Math.max(version, newest ?? 0) }));
    },
  };
}
