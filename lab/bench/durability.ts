// npx tallycast lab durability: traces the embedded store's system calls and checks that every commit is
// written to the log and synced exactly once before it is acknowledged.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { commits: { type: 'string', default: '20' } } });
const commits = Number(values.commits);

if (spawnSync('strace', ['-V']).error) {
  console.log('strace is not installed: nothing checked');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-durability-'));
  try {
    const steps = trace(folder);
    const wrong = judge(steps);
    console.log(steps.slice(0, 6).join('\n'));
    console.log(`${commits} commits, ${wrong} acknowledged without exactly one log sync after the write`);
    process.exitCode = wrong === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Relevant calls after the first acknowledgement, when the files have been created and set up. */
function trace(folder: string): string[] {
  const log = join(folder, 'trace.log');
  const child = new URL('./durability-child.ts', import.meta.url).pathname;
  const calls = 'trace=pwrite64,fsync,fdatasync,write';
  const args = [
    '-f',
    '-y',
    '-qq',
    '-s',
    '16',
    '-e',
    calls,
    '-o',
    log,
    process.execPath,
    child,
    folder,
    String(commits),
  ];
  const result = spawnSync('strace', args, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`the traced run failed: ${result.stderr.slice(-2_000)}`);
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => !line.includes('<unfinished'));
  return lines.flatMap((line) => {
    const durable = /write\(1<.*"durable (\d+)/.exec(line);
    if (durable) return [`acknowledged ${durable[1]}`];
    if (!line.includes('.sqlite-wal') && !/resumed/.test(line)) return [];
    if (/\bpwrite64[(\s]/.test(line)) return ['log write'];
    return /\bf(data)?sync[(\s]/.test(line) ? ['log sync'] : [];
  });
}

/** Number of acknowledgements, after the first, not preceded by a write and then exactly one sync. */
function judge(steps: readonly string[]): number {
  let wrong = 0;
  let since: string[] = [];
  for (const step of steps) {
    if (!step.startsWith('acknowledged')) {
      since.push(step);
      continue;
    }
    const syncs = since.filter((each) => each.startsWith('sync')).length;
    const isOrdered = since.at(-1) === 'log sync' && since.includes('log write');
    if (step !== 'acknowledged 1' && !(syncs === 1 && isOrdered)) wrong += 1;
    since = [];
  }
  return wrong;
}
