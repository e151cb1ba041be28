// The service on served ladders: imports the posts, which the oracle lists without replies, and starts it.

import { print, type Terminal, untilStopped } from '../../../src/cli/command.ts';
import { startCommand } from '../../bench/core/processes.ts';
import type { LadderFiles, ReadLadders } from './read-ladder-files.ts';

export const ACCOUNTS = ['a', 'b'];

export interface FollowOptions {
  files: LadderFiles;
  ladders: ReadLadders;
  /** Address of the served ladders. */
  url: string;
  dataDir: string;
}

export function startArguments({ accountId }: LadderFiles, url: string): string[] {
  return ['--simulator-url', url, '--accounts', String(ACCOUNTS.indexOf(accountId) + 1)];
}

export async function followLadders(options: FollowOptions, terminal: Terminal): Promise<number> {
  const service = await startService(options);
  try {
    print(terminal, `the service follows it on ${service.hello}`);
    await untilStopped(terminal.stopSignal());
    return 0;
  } finally {
    await service.stop();
  }
}

async function startService({ files, url, dataDir }: FollowOptions) {
  const { accountId } = files;
  for (const file of files.posts)
    await runToEnd(['import', file, '--account', accountId, '--data-dir', dataDir], /post/);
  return startCommand(
    process.execPath,
    ['bin/tallycast.mjs', 'start', '--data-dir', dataDir, ...startArguments(files, url)],
    { env: { PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn' }, until: /^tallycast is running: (\S+)/ },
  );
}

async function runToEnd(args: readonly string[], until: RegExp): Promise<void> {
  const running = await startCommand(process.execPath, ['bin/tallycast.mjs', ...args], { until });
  await running.stop();
}
