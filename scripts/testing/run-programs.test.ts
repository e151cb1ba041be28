import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from '../../test/support/postgres.ts';
import { runPrograms } from './run-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tallycast-run-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `import { it } from 'node:test';\n${text}`);
  return path;
}

it('stops a run and everything it started, and reports which programs did not finish', async () => {
  const done = write('0.test.mjs', "it('passes', () => {});");
  const pidFile = join(folder, 'pid');
  const hanging = write(
    '1.test.mjs',
    `import { spawn } from 'node:child_process';
    import { renameSync, writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => {});
    it('hangs', () => {
      const { pid } = spawn('sleep', ['600'], { detached: true });
      writeFileSync('${pidFile}.new', String(pid));
      renameSync('${pidFile}.new', '${pidFile}');
      return new Promise(() => {});
    });`,
  );
  const stopping = new AbortController();
  const flags = ['--test-reporter=tap'];
  const options = { atOnce: 1, folder, flags, nodeOptions: '', stop: stopping.signal };
  const running = runPrograms([done, hanging], options);
  const deadlineTs = Date.now() + 60_000;
  while (!existsSync(pidFile) && Date.now() < deadlineTs) await wait(20);
  stopping.abort();
  const { status, report } = await running;
  assert.notEqual(status, 0);
  assert.equal(report.totals, null);
  assert.deepEqual([...report.ended], [done]);
  assert.deepEqual([...report.passed], [done]);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  while (isAlive(pid) && Date.now() < deadlineTs) await wait(20);
  assert.ok(!isAlive(pid), 'the process that the test started is still running');
});
