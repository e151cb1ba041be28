// Order of post ids. Platforms count upwards in decimal, so a longer number is later.

const DECIMAL = /^\d+$/;

/** As numbers if both are, otherwise as text. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length && DECIMAL.test(left) && DECIMAL.test(right))
    return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
