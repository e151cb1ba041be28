// Fits a result into an agent's context: drops rows from the end of the longest list and reports how many.

import type { Json } from './short-answers.ts';

interface SizedList {
  rows: unknown[];
  /** Size of each remaining row, including its comma. */
  sizes: number[];
  chars: number;
}

const HOW_TO_GET = 'filter by event_id or action where available, or use detail "full"';
/** Characters reserved for the note about omitted rows and the wrapper. */
const AROUND_CHARS = 300;

/** `leftOut` is the number of rows already omitted. */
export function fitAnswer(body: Json, budgetChars: number, leftOut = 0): Json {
  const fitted = structuredClone(body);
  let excess = JSON.stringify(fitted).length + AROUND_CHARS - budgetChars;
  let dropped = leftOut;
  for (let lists = findLists(fitted); excess > 0 && lists.length > 0; lists = findLists(fitted)) {
    while (excess > 0) {
      const size = dropFromLongest(lists);
      if (size === null) break;
      excess -= size;
      dropped += 1;
    }
  }
  return dropped === 0 ? fitted : { ...fitted, left_out: { rows: dropped, how_to_get: HOW_TO_GET } };
}

function dropFromLongest(lists: readonly SizedList[]): number | null {
  const longest = lists.reduce((best, list) => (list.chars > best.chars ? list : best));
  const size = longest.sizes.pop();
  if (size === undefined) return null;
  longest.rows.pop();
  longest.chars -= size;
  return size;
}

/** Finds the innermost lists, so that rows are dropped before the records that contain them. */
function findLists(value: unknown): SizedList[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(findLists);
  const isList = Array.isArray(value) && value.some((row) => typeof row === 'object' && row !== null);
  return inner.length === 0 && isList ? [measure(value)] : inner;
}

function measure(rows: unknown[]): SizedList {
  const sizes = rows.map((row) => JSON.stringify(row).length + 1);
  return { rows, sizes, chars: sizes.reduce((sum, size) => sum + size, 0) };
}
