// Argument parsing and output shared by backup and restore.

import type { CopiedTable, CopyProgress } from '../store/table-copy.ts';
import { readWordsAndOptions, required } from './arguments.ts';
import type { Output } from './command.ts';

export function parseTransferArguments(rest: readonly string[]): { file: string; force: boolean } {
  const { values, positionals } = readWordsAndOptions(rest, 1, { force: { type: 'boolean' } });
  return { file: required(positionals[0], 'FILE'), force: values.force ?? false };
}

export function describeCopied(tables: readonly CopiedTable[]): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows in ${tables.length} tables`;
}

// Shows a progress bar on a terminal, one line per table elsewhere.

const WIDTH = 30;
const REDRAW_MS = 100;

export function createProgressBar(output: Output): {
  show: (progress: CopyProgress) => void;
  finish: () => void;
} {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let lastStep = '';
  let last: CopyProgress | null = null;

  function show(progress: CopyProgress): void {
    last = progress;
    const step = `${progress.phase} ${progress.table}`;
    if (!output.isTTY) {
      if (step !== lastStep) output.write(`${drawBar(progress)}\n`);
    } else if (performance.now() - drawnAtMs > REDRAW_MS) {
      drawnAtMs = performance.now();
      output.write(`\r${drawBar(progress)}\u001b[K`);
    }
    lastStep = step;
  }

  return {
    show,
    finish() {
      if (output.isTTY && last) output.write(`\r${drawBar(last)}\u001b[K\n`);
    },
  };
}

function drawBar({ table, phase, doneRows, totalRows }: CopyProgress): string {
  const share = totalRows === 0 ? 1 : Math.min(1, doneRows / totalRows);
  const filled = Math.round(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent}% ${phase} ${table}`;
}

/** A line redrawn in place, for work with a known number of steps. */
export function drawProgress(done: number, total: number): string {
  const filled = Math.round((WIDTH * done) / total);
  const bar = '#'.repeat(filled).padEnd(WIDTH, '.');
  return `\r[${bar}] ${done}/${total}${done === total ? '\n' : ''}`;
}
