import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { waitUntil } from '../../test/support/boot.ts';
import { isAlive } from '../../test/support/postgres.ts';
import { LONGEST_FIRST, planEntries, writeEntry } from './plan.ts';

const UNITS = Array.from({ length: 25 }, (_, i) => `src/room/${String(i).padStart(2, '0')}.test.ts`);

describe('test plan', () => {
  it('runs every file once: the slowest alone and first, then suites by room, then unit tests', () => {
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
        'src/room/00.test.ts to src/room/12.test.ts',
        'src/room/13.test.ts to test/api/b.test.ts',
      ],
    );
    assert.deepEqual(entries.flatMap(({ files: each }) => each).sort(), files.sort());
  });

  describe('test program', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallycast-plan-'));
    after(() => rmSync(folder, { recursive: true, force: true }));

    function run(...texts: string[]) {
      return runWithin({ patienceMs: 20_000 }, ...texts);
    }

    function runWithin(limits: { patienceMs?: number; limitMs?: number }, ...texts: string[]) {
      const files = texts.map((text, i) => {
        const file = join(folder, `${i} of ${texts.length}.mjs`);
        writeFileSync(file, `import { describe, it } from 'node:test';\n${text}`);
        return file;
      });
      const program = join(folder, `${texts.length}.test.mjs`);
      writeFileSync(program, writeEntry({ files }, limits));
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--test-reporter=tap', program], {
        env,
        encoding: 'utf8',
      });
      return { status, output: stdout + stderr };
    }

    it('makes each file a suite that contains its own tests', () => {
      const late = 'await new Promise((resolve) => setTimeout(resolve));';
      const { status, output } = run(
        `${late} describe('outer', () => describe('inner', () => it('deep', () => {})));`,
        "it('flat', () => {});",
      );
      assert.equal(status, 0, output);
      const levels = [...output.matchAll(/^( *)ok \d+ - (.*)$/gm)].map(([, blanks, name]) => [
        blanks!.length / 4,
        name!.replace(/.*[/]/, ''),
      ]);
      assert.deepEqual(levels, [
        [3, 'deep'],
        [2, 'inner'],
        [1, 'outer'],
        [0, '0 of 2.mjs'],
        [1, 'flat'],
        [0, '1 of 2.mjs'],
      ]);
    });

    it('ends even if a failed test left a server open, and reports that server', () => {
      const { status, output } = runWithin(
        { patienceMs: 100 },
        `import { createServer } from 'node:net';
        it('leaks', () => new Promise((resolve) => createServer().listen(0, resolve)));`,
      );
      assert.equal(status, 1, output);
      assert.match(output, /did not exit; still open: .*TCPServerWrap/);
    });

    it('ends at its time limit, along with the processes that a test started', async () => {
      const { status, output } = runWithin(
        { limitMs: 100 },
        `import { spawn } from 'node:child_process';
        const child = spawn('sleep', ['600'], { detached: true });
        console.log('child ' + child.pid);
        process.on('SIGTERM', () => {});
        it('hangs', () => new Promise(() => {}));`,
      );
      assert.equal(status, 1, output);
      assert.match(output, /stopped: the tests did not finish within .* minutes/);
      const childPid = Number(output.match(/child (\d+)/)![1]);
      // A killed process exists until its parent has noticed.
      await waitUntil(() => !isAlive(childPid));
    });

    it('fails on an uncaught error, and reports its origin', () => {
      const { status, output } = run(
        `it('stray', () => new Promise((resolve) => {
          setTimeout(() => { resolve(); throw new Error('no one waits for this'); });
        }));`,
      );
      assert.equal(status, 1, output);
      assert.match(output, /uncaught in a test: Error: no one waits for this\n +at .*0%20of%201\.mjs/);
    });
  });

  it('lists only existing files', () => {
    for (const file of LONGEST_FIRST) assert.ok(existsSync(file), file);
  });

  it('lets only files that do not modify the process share one', () => {
    const all = globSync([
      '{src,lab,simulator,web/src,scripts,test}/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
    ]);
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
