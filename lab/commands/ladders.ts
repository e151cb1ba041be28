// Serves real ladders from files as the venue and the oracle do, at their true dates.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatorAccountFor } from '../../simulator/draw-account.ts';
import type { RecordedPast } from '../../simulator/recorded/recorded-past.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import { DEFAULT_SIMULATOR_SEED } from '../../simulator/state-file.ts';
import { flags, readOptions, readWhole, required, texts } from '../../src/cli/arguments.ts';
import { type Command, DONE, note, print, type Terminal, untilStopped } from '../../src/cli/command.ts';
import { openFiles } from '../../src/cli/files.ts';
import { simulatedAccount } from '../../src/config/choose-accounts.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { UsageError } from '../../src/runtime/errors.ts';
import { ACCOUNTS, followLadders, startArguments } from './ladders/follow-ladders.ts';
import { type LadderFiles, type ReadLadders, readLadderFiles } from './ladders/read-ladder-files.ts';

export const usage = `usage: npx tallycast lab ladders --prices FILE --outcomes FILE --posts FILE [options]

Serve real ladders as the venue and the oracle do, at their true dates: events, their prices as 3 h and 12 h points, trades
that fit them, totals and posts. Nothing is interpolated: the points are those of the file. Time begins one day after the
last window. Without --serve or --check, print how to start the service on it, then run until stopped.

  --prices FILE     event,window_start_ts,window_end_ts,bucket_lo,bucket_hi,ts,yes_price,is_full_ladder
  --outcomes FILE   event,final_count,winning_bucket; an event that is missing has ended but is not settled
  --posts FILE      tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted; repeat it for several files
  --account a|b     the account that posted them (a)
  --port P          port to listen on (default: a free one)
  --serve           import the posts and start the service too, in a temporary folder
  --check           start the service, compare its record with 'backtest --prices' on the same files, and stop; exits 1
                    where they differ
  --data-dir DIR    folder of the service (default: a temporary one)

examples:
  npx tallycast lab ladders --prices ladder-prices.csv --outcomes ladder-outcomes.csv --posts posts.csv --check`;

export const run: Command['run'] = async (args, terminal) => {
  const { values } = readOptions(args, {
    ...texts('prices', 'outcomes', 'account', 'port', 'data-dir'),
    ...flags('serve', 'check'),
    posts: { type: 'string', multiple: true },
  });
  const files: LadderFiles = {
    prices: required(values.prices, '--prices'),
    outcomes: required(values.outcomes, '--outcomes'),
    posts: required(values.posts, '--posts'),
    accountId: values.account ?? 'a',
  };
  if (!ACCOUNTS.includes(files.accountId))
    throw new UsageError(`--account ${files.accountId}: expected a or b`);
  const ladders = readLadderFiles(files, openFiles(terminal));
  const server = await serve(ladders.past, values.port === undefined ? 0 : readWhole('--port', values.port));
  try {
    describe(terminal, ladders, server);
    if (!values.serve && !values.check) {
      explainStart(terminal, files, server);
      await untilStopped(terminal.stopSignal());
      return DONE;
    }
    return await inFolder(values['data-dir'], (dataDir) =>
      followLadders(
        { files, ladders, url: server.urls.base, dataDir, isCheck: values.check ?? false },
        terminal,
      ),
    );
  } finally {
    await server.close();
  }
};

async function inFolder<T>(given: string | undefined, work: (dataDir: string) => Promise<T>): Promise<T> {
  if (given !== undefined) return work(given);
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-ladders-'));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The simulator with this past: one account, followed by the service under the same id. */
async function serve(past: RecordedPast, port: number): Promise<SimulatorServer> {
  const { accountId, ladders, posts } = past;
  const startTs = Math.max(...ladders.map(({ window }) => window.endTs)) + DAY_MS;
  const firstTs = Math.min(
    posts[0]?.createdTs ?? startTs,
    ...ladders.map(({ window }) => window.startTs - 7 * DAY_MS),
  );
  const places = Array.from({ length: ACCOUNTS.indexOf(accountId) + 1 }, (_, place) => place);
  const simulator = createSimulator({
    seed: DEFAULT_SIMULATOR_SEED,
    anchorTs: Math.floor(firstTs / HOUR_MS) * HOUR_MS,
    clock: createSimulatorClock(startTs, 1),
    recorded: past,
    accounts: places.map((place) => {
      // The second venue did not list these ladders.
      const { kalshi: _, ...parameters } = simulatorAccountFor(simulatedAccount(place));
      return { ...parameters, hasYearInSlugs: true };
    }),
  });
  simulator.now();
  return startSimulatorServer(simulator, { port });
}

function describe(terminal: Terminal, { past, remarks }: ReadLadders, { urls }: SimulatorServer): void {
  const { ladders, posts } = past;
  const settled = ladders.filter(({ outcome }) => outcome !== null).length;
  const points = ladders.flatMap((ladder) => ladder.points).reduce((sum, list) => sum + list.length, 0);
  print(
    terminal,
    `serving ${ladders.length} events (${settled} settled), ${points} prices and ${posts.length} posts on ${urls.base}`,
  );
  for (const remark of remarks) note(terminal, remark);
}

function explainStart(terminal: Terminal, files: LadderFiles, { urls }: SimulatorServer): void {
  const folder = '--data-dir ladders';
  print(terminal, 'Follow it with:');
  for (const file of files.posts)
    print(terminal, `  npx tallycast import ${file} --account ${files.accountId} ${folder}`);
  print(terminal, `  npx tallycast start ${folder} ${startArguments(files, urls.base).join(' ')}`);
}
