// Ends a test program that hangs, or that has finished its tests but not stopped, and reports why.

import { killDescendants } from './process-tree.ts';

export function endIdleProgram(patienceMs: number): void {
  const timer = setTimeout(() => end('tests finished but the program did not end'), patienceMs);
  timer.unref();
}

/** Including the browsers, databases and services that it started. */
export function limitProgram(limitMs: number): void {
  const timer = setTimeout(() => {
    killDescendants();
    end(`stopped: the tests did not end within ${limitMs / 60_000} minutes`);
  }, limitMs);
  timer.unref();
}

function end(problem: string): never {
  const open = Object.entries(countBy(process.getActiveResourcesInfo()));
  const names = open.map(([name, count]) => `${count} ${name}`).join(', ');
  process.stderr.write(`${problem}; still open: ${names}\n`);
  process.exit(1);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
