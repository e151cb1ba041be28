// The latest published snapshot per name. Versions never decrease.

import type { Connection } from '../engine.ts';
import type { SnapshotStore } from '../ports.ts';

/** The engine implements notifications; everything else is a query. */
export type SnapshotQueries = Omit<SnapshotStore, 'listen'>;

export function createSnapshotQueries({ db, engine }: Connection): SnapshotQueries {
  return {
    async put(name, version, body) {
      await db
        .insertInto('snapshots')
        .values({ name, version, body })
        .onConflict((conflict) =>
          conflict
            .column('name')
            // Refers to the excluded row, because passing the large body twice would send it twice.
            .doUpdateSet((eb) => ({ version: eb.ref('excluded.version'), body: eb.ref('excluded.body') }))
            .whereRef('excluded.version', '>=', 'snapshots.version'),
        )
        .execute();
      await engine.announceSnapshot(db, name, version);
    },

    async find(name) {
      const row = await db
        .selectFrom('snapshots')
        .select(['version', 'body'])
        .where('name', '=', name)
        .executeTakeFirst();
      return row && { ...row };
    },

    async versions() {
      const rows = await db.selectFrom('snapshots').select(['name', 'version']).orderBy('name').execute();
      return rows.map((row) => ({ ...row }));
    },
  };
}
