// Ends a test program that hangs or does not exit after its tests, and reports why.

import { killDescendants } from './process-tree.ts';

export function endIdleProgram(patienceMs: number): void {
  const timer = setTimeout(() => end('tests finished but the program did not exit'), patienceMs);
  timer.unref();
}

/** Also ends the browsers, databases and services that the program started. */
export function limitProgram(limitMs: number): void {
  const timer = setTimeout(() => {
    killDescendants();
    end(`stopped: the tests did not finish within ${limitMs / 60_000} minutes`);
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
