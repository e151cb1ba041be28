// Export progress: a line redrawn in place on a terminal, one final line elsewhere.

import type { Output } from '../command.ts';

const REDRAW_MS = 100;

export interface RowCounter {
  add(rows: number): void;
  finish(file: string | null): void;
}

export function createRowCounter(name: string, output: Output): RowCounter {
  let rows = 0;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    add(more) {
      rows += more;
      if (!output.isTTY || performance.now() - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = performance.now();
      output.write(`\r${name}: ${rows} rows\u001b[K`);
    },
    finish(file) {
      const start = output.isTTY ? '\r' : '';
      output.write(`${start}${name}: ${rows} rows${file === null ? '' : ` in ${file}`}\n`);
    },
  };
}
