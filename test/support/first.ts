import assert from 'node:assert/strict';

/** Returns the first element of a list that must not be empty. */
export function first<T>(list: readonly T[]): T {
  assert.ok(list.length > 0, 'the list is empty');
  return list[0]!;
}
