// Asserts that numbers are approximately equal.

import assert from 'node:assert/strict';

export function near(actual: number, expected: number, within: number): void {
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
}

export function allNear(actual: readonly number[], expected: readonly number[], within: number): void {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of actual.entries()) near(value, expected[i]!, within);
}
