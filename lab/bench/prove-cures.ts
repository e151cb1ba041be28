// npx tallycast lab cures: reverts each fix in a copy of this checkout and checks that its test fails, and
// that it passes with the fix.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CURES, type Cure } from '../../test/hostile/cures.ts';
import { ROOT } from './core/processes.ts';

const COPIED = [
  'src',
  'lab',
  'test',
  'bin',
  'scripts',
  'deploy',
  'packages',
  'web',
  'package.json',
  'package-lock.json',
];
const TEST_WITHIN_MS = 180_000;
/** Ends processes that a failing test left open. */
const IN_ONE_PROCESS = ['--test-isolation=none', '--test-force-exit'];

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const copy = mkdtempSync(join(tmpdir(), 'tallycast-cures-'));
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

function passes({ test, name }: Cure): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', ...IN_ONE_PROCESS, '--test-reporter=tap', `--test-name-pattern=${escaped}`, test],
    { cwd: copy, encoding: 'utf8', timeout: TEST_WITHIN_MS },
  );
  // A name that matches no test would pass as well.
  const ran =
    Number(/^# pass (\d+)/m.exec(stdout)?.[1] ?? 0) + Number(/^# fail (\d+)/m.exec(stdout)?.[1] ?? 0);
  return status === 0 && ran > 0;
}

function judge(cure: Cure): string {
  const path = join(copy, cure.file);
  const whole = readFileSync(path, 'utf8');
  if (!passes(cure)) return 'its test fails with the cure in place';
  writeFileSync(
    path,
    whole.replace(cure.cure, () => cure.undone),
  );
  try {
    return passes(cure) ? 'its test passes without the cure' : 'shown';
  } finally {
    writeFileSync(path, whole);
  }
}

const chosen = CURES.filter(({ of, file }) => `${of} ${file}`.includes(values.only));
let shown = 0;
try {
  for (const cure of chosen) {
    const verdict = judge(cure);
    if (verdict === 'shown') shown += 1;
    console.log(
      `${verdict === 'shown' ? 'ok  ' : 'FAIL'} ${cure.of}: ${cure.test}${verdict === 'shown' ? '' : ` (${verdict})`}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${shown} of ${chosen.length} cures shown: without it its test fails, with it it passes`);
process.exitCode = shown === chosen.length ? 0 : 1;
