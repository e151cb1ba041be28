// Annotations on the performance charts: model and build changes.

import type { Connection } from '../engine.ts';

export interface Annotation {
  ts: number;
  label: string;
  commit: string;
}

export function createAnnotationQueries({ db }: Connection) {
  return {
    async add({ ts, label, commit }: Annotation) {
      await db
        .insertInto('annotations')
        .values({ ts, label, build_commit: commit })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async list(afterTs: number) {
      const rows = await db
        .selectFrom('annotations')
        .selectAll()
        .where('ts', '>', afterTs)
        .orderBy('ts')
        .orderBy('label')
        .execute();
      return rows.map((row) => ({ ts: row.ts, label: row.label, commit: row.build_commit }));
    },
  };
}
