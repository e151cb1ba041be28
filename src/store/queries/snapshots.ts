// The latest published snapshot of each name. A version never goes back.

import type { Connection } from '../engine.ts';
import type { SnapshotStore } from '../ports.ts';

/** Listening is the engine's business; everything else is a query. */
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
            // By name, not by value: the body is large, and would be sent twice.
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
