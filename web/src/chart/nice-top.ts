/** Rounds an axis maximum up, so that half of it is also a round number. */
export function niceTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * unit >= value) ?? 10);
}
