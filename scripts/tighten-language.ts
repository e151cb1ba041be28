// Lowers the budgets of test/language.test.ts to the remaining marked words; never raises one.
// --list AREA prints where they occur in one area; --list alone prints all counts.

import { readFileSync, writeFileSync } from 'node:fs';
import { countByArea, findMarked, readAll } from '../test/support/language-areas.ts';

const FILE = new URL('../test/support/language-budgets.json', import.meta.url);
const findings = findMarked(readAll());
const counts = countByArea(findings);
const [flag, area] = process.argv.slice(2);

if (flag === '--list' && area !== undefined) {
  for (const { path, line, word, area: place } of findings)
    if (place.startsWith(area)) console.log(`${path}:${line} ${word}`);
} else if (flag === '--list') {
  console.table(counts);
} else {
  const budgets = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>;
  const lowered = Object.entries(budgets).map(([name, budget]) => [
    name,
    Math.min(budget, counts[name] ?? 0),
  ]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}
