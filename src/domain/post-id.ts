// The order of posts' ids. Platforms count upwards in decimal, so a longer number is a later one.

const DECIMAL = /^\d+$/;

/** As numbers where both are, else by text. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length && DECIMAL.test(left) && DECIMAL.test(right))
    return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
