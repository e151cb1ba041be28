// Parses a query string with its route's schema. Callers repeat queries, so the last valid ones are cached.

import type { TObject } from 'typebox';
import { createCoercer } from '../../contract/coerce.ts';
import type { Fault } from '../../contract/faults.ts';
import { warnOfNearMisses } from '../../contract/near-parameter.ts';
import { parseQueryString } from '../../contract/query-string.ts';

export type QueryReading = {
  /** Value of the Warning header; null if there is none. */
  readonly warning: string | null;
} & ({ readonly value: unknown; readonly faults: null } | { readonly faults: readonly Fault[] });

export type QueryReader = (text: string) => QueryReading;

const MOST_KEPT = 100;
const LONGEST_KEPT = 200;

export function createQueryReader(schema: TObject): QueryReader {
  const coercer = createCoercer(schema);
  const names = Object.keys(schema.properties);
  const known = new Map<string, QueryReading>();

  function read(text: string): QueryReading {
    const given = parseQueryString(text);
    const warning = warnOfNearMisses(given.keys(), names);
    const coerced = coercer.query(given);
    if (!coerced.ok) return { warning, faults: coerced.faults };
    const reading = { warning, value: Object.freeze(coerced.value), faults: null };
    if (text.length <= LONGEST_KEPT) keep(text, reading);
    return reading;
  }

  function keep(text: string, reading: QueryReading): void {
    if (known.size >= MOST_KEPT) known.delete(known.keys().next().value!);
    known.set(text, reading);
  }

  return (text) => known.get(text) ?? read(text);
}
