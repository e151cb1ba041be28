import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { LONGEST_FIRST, planEntries, writeEntry } from './plan.ts';

const UNITS = Array.from({ length: 25 }, (_, i) => `src/room/${String(i).padStart(2, '0')}.test.ts`);

describe('the plan of the tests', () => {
  it('runs every file once: the longest first and alone, then suites by their rooms, then unit tests', () => {
    const suites = ['test/a.test.ts', ...[1, 2, 3, 4, 5, 6].map((i) => `test/store/${i}.test.ts`)];
    const files = [...UNITS, ...suites, 'test/alarms/alarms.test.ts', 'test/api/b.test.ts'];
    const entries = planEntries(files);
    assert.deepEqual(
      entries.map(({ name }) => name),
      [
        'test/alarms/alarms.test.ts',
        'test/a.test.ts',
        'test/store/1.test.ts to test/store/3.test.ts',
        'test/store/4.test.ts to test/store/6.test.ts',
        'src/room/00.test.ts to src/room/08.test.ts',
        'src/room/09.test.ts to src/room/17.test.ts',
        'src/room/18.test.ts to test/api/b.test.ts',
      ],
    );
    assert.deepEqual(entries.flatMap(({ files: each }) => each).sort(), files.sort());
  });

  it('writes a program in which each file is a suite', () => {
    assert.equal(
      writeEntry({ name: '', files: ['/a b.test.ts', '/c.test.ts'] }),
      `import { describe } from 'node:test';
describe("/a b.test.ts", async () => { await import("file:///a%20b.test.ts"); });
describe("/c.test.ts", async () => { await import("file:///c.test.ts"); });
`,
    );
  });

  it('names files that are there', () => {
    for (const file of LONGEST_FIRST) assert.ok(existsSync(file), file);
  });

  it('shares processes among files that leave the process as it was', () => {
    const all = globSync(['{src,web/src,bench,scripts,test}/**/*.test.ts', 'packages/*/src/**/*.test.ts']);
    const sharing = planEntries(all).flatMap(({ files }) => (files.length > 1 ? files : []));
    assert.ok(sharing.length > 200);
    const meddling =
      /\bmock\.timers|process\.(chdir|exit)\(|process\.env\.\w+ = |globalThis\.\w+ = |'prlimi[t]'/;
    assert.deepEqual(
      sharing.filter((file) => meddling.test(readFileSync(file, 'utf8'))),
      [],
    );
  });
});
