import assert from 'node:assert/strict';

/** The first of a list that a test expects to have one. */
export function first<T>(list: readonly T[]): T {
  assert.ok(list.length > 0, 'the list is empty');
  return list[0]!;
}
