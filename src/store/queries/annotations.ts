// Annotations on the performance charts: model and build changes.

import type { Connection } from '../engine.ts';
import { ANNOTATIONS, type Annotation } from '../tables-results.ts';

export function createAnnotationQueries({ db }: Connection) {
  return {
    async add(annotation: Annotation) {
      await db
        .insertInto('annotations')
        .values(ANNOTATIONS.toRow(annotation))
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
      return rows.map(ANNOTATIONS.fromRow);
    },
  };
}
