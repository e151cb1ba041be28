import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { LONGEST_FIRST, planEntries, writeEntry } from './plan.ts';

const UNITS = Array.from({ length: 25 }, (_, i) => `src/room/${String(i).padStart(2, '0')}.test.ts`);

describe('the plan of the tests', () => {
  it('runs every file once: what boots something alone, the longest first and the shortest last, unit tests together', () => {
    const files = [...UNITS, 'test/a.test.ts', 'test/alarms/alarms.test.ts', 'test/api/b.test.ts'];
    const entries = planEntries(files);
    assert.deepEqual(
      entries.map(({ name }) => name),
      [
        'test/alarms/alarms.test.ts',
        'src/room/00.test.ts to src/room/08.test.ts',
        'src/room/09.test.ts to src/room/17.test.ts',
        'src/room/18.test.ts to test/api/b.test.ts',
        'test/a.test.ts',
      ],
    );
    assert.deepEqual(entries.flatMap(({ files: each }) => each).sort(), files.sort());
  });

  it('writes a program that imports the files of an entry', () => {
    assert.equal(
      writeEntry({ name: '', files: ['/a b.test.ts', '/c.test.ts'] }),
      'import "file:///a%20b.test.ts";\nimport "file:///c.test.ts";\n',
    );
  });

  it('names files that are there', () => {
    for (const file of LONGEST_FIRST) assert.ok(existsSync(file), file);
  });

  it('shares processes among files that leave each other alone: hooks and pretences stand in a describe', () => {
    const all = globSync([
      '{src,web/src,bench,scripts}/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
      'test/api/**/*.test.ts',
    ]);
    const units = planEntries(all).flatMap(({ files }) => (files.length > 1 ? files : []));
    assert.ok(units.length > 100);
    const meddling = /^(before|after)Each\(|\bmock\.timers|process\.(chdir|exit)\(|process\.env\.\w+ = /m;
    assert.deepEqual(
      units.filter((file) => meddling.test(readFileSync(file, 'utf8'))),
      [],
    );
  });
});
