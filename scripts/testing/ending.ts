// Ends a test program that has finished its tests but not stopped, and reports what keeps it running.

export function endIdleProgram(patienceMs: number): void {
  const timer = setTimeout(() => {
    const open = Object.entries(countBy(process.getActiveResourcesInfo()));
    const names = open.map(([name, count]) => `${count} ${name}`).join(', ');
    process.stderr.write(`tests finished but the program did not end; still open: ${names}\n`);
    process.exit(1);
  }, patienceMs);
  timer.unref();
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
