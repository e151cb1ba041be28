// Restricts a dataset to the chosen columns, in the given order.

import { UsageError } from '../../runtime/errors.ts';
import type { Dataset } from './dataset.ts';

export function pickColumns(dataset: Dataset, names: readonly string[]): Dataset {
  const known = Object.keys(dataset.columns);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--columns: "${unknown}" is not a column; columns are ${known.join(', ')}`);
  const places = names.map((name) => known.indexOf(name));
  return {
    columns: Object.fromEntries(names.map((name) => [name, dataset.columns[name]!])),
    async *listRows(scope) {
      for await (const rows of dataset.listRows(scope))
        yield rows.map((row) => places.map((place) => row[place]!));
    },
  };
}
