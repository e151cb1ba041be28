// Saved feed positions.

import type { Connection } from '../engine.ts';
import type { CursorStore } from '../ports.ts';

export function createCursorQueries({ db }: Connection): CursorStore {
  return {
    async find(name) {
      const row = await db.selectFrom('cursors').select('value').where('name', '=', name).executeTakeFirst();
      return row?.value;
    },

    async put(name, value) {
      await db
        .insertInto('cursors')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}
