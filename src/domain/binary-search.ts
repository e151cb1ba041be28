/** How many leading places of a sorted list fulfil the condition; every later place does not. */
export function countLeading(length: number, isLeading: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLeading(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
