// The service on served ladders: imports the posts, because the oracle lists none that do not count, starts
// it, and compares its record with the backtest.

import { spawnSync } from 'node:child_process';
import { DONE, FAILED, note, print, type Terminal, untilStopped } from '../../../src/cli/command.ts';
import { openFiles } from '../../../src/cli/files.ts';
import { ROOT, startCommand } from '../../bench/core/processes.ts';
import { compareRecords, readService, walkFiles } from './check-record.ts';
import type { LadderFiles, ReadLadders } from './read-ladder-files.ts';

export const ACCOUNTS = ['a', 'b'];

export interface FollowOptions {
  files: LadderFiles;
  ladders: ReadLadders;
  /** Address of the served ladders. */
  url: string;
  dataDir: string;
  isCheck: boolean;
}

export function startArguments({ accountId }: LadderFiles, url: string): string[] {
  return ['--simulator-url', url, '--accounts', String(ACCOUNTS.indexOf(accountId) + 1)];
}

export async function followLadders(options: FollowOptions, terminal: Terminal): Promise<number> {
  const service = await startService(options);
  try {
    print(terminal, `the service follows it on ${service.hello}`);
    if (options.isCheck) return await check(options, service.hello, terminal);
    await untilStopped(terminal.stopSignal());
    return DONE;
  } finally {
    await service.stop();
  }
}

async function startService({ files, url, dataDir }: FollowOptions) {
  for (const file of files.posts)
    runToEnd(['import', file, '--account', files.accountId, '--data-dir', dataDir]);
  return startCommand(
    process.execPath,
    ['bin/tallycast.mjs', 'start', '--data-dir', dataDir, ...startArguments(files, url)],
    { env: { PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn' }, until: /^tallycast is running: (\S+)/ },
  );
}

async function check(
  { files, ladders: { past }, dataDir }: FollowOptions,
  address: string,
  terminal: Terminal,
): Promise<number> {
  const expected = walkFiles(files, past, openFiles(terminal));
  note(terminal, `waiting for the record of ${expected.length} moments ...`);
  const key = runToEnd(['keys', 'issue', '--tier', 'PRO', '--label', 'check', '--data-dir', dataDir]).trim();
  const found = await readService(
    address,
    key,
    files.accountId,
    past,
    expected.length,
    terminal.stopSignal(),
  );
  const { table, isEqual } = compareRecords(expected, found);
  print(terminal, `${table}\n${isEqual ? 'equal' : 'not equal'}`);
  return isEqual ? DONE : FAILED;
}

function runToEnd(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/tallycast.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tallycast ${args[0]} failed: ${stderr || stdout}`);
  return stdout;
}
