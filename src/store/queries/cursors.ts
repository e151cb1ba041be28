// Saved feed positions.

import type { Connection } from '../engine.ts';

export function createCursorQueries({ db }: Connection) {
  return {
    async find(name: string) {
      const row = await db.selectFrom('cursors').select('value').where('name', '=', name).executeTakeFirst();
      return row?.value;
    },

    async put(name: string, value: string) {
      await db
        .insertInto('cursors')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}
