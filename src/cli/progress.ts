const WIDTH = 30;

/** A line redrawn in place, for work with a known number of steps. */
export function drawProgress(done: number, total: number): string {
  const share = total === 0 ? 1 : done / total;
  const bar = '#'.repeat(Math.round(WIDTH * share)).padEnd(WIDTH, '.');
  return `\r[${bar}] ${done}/${total}${done === total ? '\n' : ''}`;
}
