// Orders post ids. Platforms use increasing decimal numbers, so a longer id is later.

const DECIMAL = /^\d+$/;

/** Compares as numbers if both ids are numeric, otherwise as text. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length && DECIMAL.test(left) && DECIMAL.test(right))
    return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
