// The latest published snapshot per name. Versions never decrease.

import type { Connection } from '../engine.ts';

export function createSnapshotQueries({ db, engine }: Connection) {
  return {
    async put(name: string, version: number, body: string) {
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

    async find(name: string) {
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
