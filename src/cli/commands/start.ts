// Runs the whole service, on the simulator unless live sources are configured.

import { describeFaults } from '../../../simulator/faults/fault-registry.ts';
import { startApp } from '../../app/composition.ts';
import { holdDataFolder } from '../../app/data-folder.ts';
import { describeFirstSteps, describeStart, waitForFirstAnswers } from '../../app/describe-start.ts';
import { explainStartFailure } from '../../app/explain-start-failure.ts';
import { canOfferSetup, offerSetup, type Setup } from '../../app/setup/offer-setup.ts';
import { prepareSimulatorProcess } from '../../app/simulator-process.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { describeCommon } from '../../config/describe-config.ts';
import { PAST_COMING, PAST_IN, PAST_INCOMPLETE } from '../../ingest/repair/backfill.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createEntryLogger, isForPeople } from '../../runtime/open-logger.ts';
import { createTerminalLog, type LogEntry } from '../../runtime/terminal-log.ts';
import type { BoardReader } from '../../state/board.ts';
import { readOptions } from '../arguments.ts';
import { type Command, print, type Terminal, untilStopped } from '../command.ts';

export const usage = `usage: npx tallycast start [settings]        npm start -- [settings]

Run the service until stopped, on the simulator unless live sources are configured (docs/going-live.md).

examples:
  npm start
  npm start -- --port 9000 --data-dir ./other
  npm start -- --simulator-speed 60 --payments demo
  npm start -- --fault help        list the simulator's faults

settings: flags override environment variables, which override tallycast.config.json
in this folder (TALLYCAST_CONFIG selects another file)
${describeCommon()}`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env);
  if (config.simulator.faults.includes('help')) {
    print(terminal, describeFaults());
    return undefined;
  }
  readOptions(config.rest, {});
  await serveUntilStopped(config, args, terminal);
  return undefined;
};

/** Restarts whenever the setup page changes the sources. */
async function serveUntilStopped(first: Config, args: readonly string[], terminal: Terminal): Promise<void> {
  const stopSignal = terminal.stopSignal();
  const log = createStartLog(first, terminal);
  const served = { port: first.port, dataDir: first.dataDir };
  const setup = canOfferSetup(first)
    ? await offerSetup({ args, env: terminal.env, clock: terminal.clock, current: () => served })
    : null;
  const parts: ServeParts = { log, setup, stopSignal, terminal, served };
  try {
    let config: Config | null = first;
    while (config) config = await serveHeld(config, first, parts);
  } finally {
    await setup?.close();
  }
}

interface ServeParts {
  log: ReturnType<typeof createStartLog>;
  setup: Setup | null;
  stopSignal: AbortSignal;
  terminal: Terminal;
  /** State of one run between restarts. */
  served: { port: number; dataDir: string };
}

/** Resolves to the next configuration, or null once stopped. */
async function serveHeld(config: Config, first: Config, parts: ServeParts): Promise<Config | null> {
  // Processes that share a database coordinate through it; only one process may write to a data folder.
  const isAlone = config.secrets.databaseUrl === null && config.role !== 'api';
  const folder = isAlone ? holdDataFolder(config.dataDir, parts.terminal.clock.now()) : null;
  try {
    return await serve(config, first, parts);
  } catch (error) {
    if (config === first || !parts.setup) throw error;
    parts.setup.noteFailed(errorMessage(error));
    return first;
  } finally {
    folder?.release();
  }
}

async function serve(config: Config, first: Config, parts: ServeParts): Promise<Config | null> {
  const { log, setup, stopSignal, served } = parts;
  const simulator = hasOwnSimulator(config) ? prepareSimulatorProcess() : null;
  const app = await startApp(config, {
    ...(log.logger ? { logger: log.logger } : {}),
    ...(simulator ? { openSimulator: simulator.open } : {}),
  }).catch((error: unknown) => {
    simulator?.end();
    throw explainStartFailure(error, config);
  });
  served.port = app.url === null ? config.port : Number(new URL(app.url).port);
  served.dataDir = config.dataDir;
  const isFirst = config === first;
  const requested = isFirst && setup ? setup.untilRequested() : new Promise<never>(() => {});
  const next = Promise.race([untilStopped(stopSignal).then(() => null), requested]);
  const stopped = next.finally(() => app.stop());
  log.print(describeStart(app));
  log.follow(app.board);
  if (!isFirst) await setup?.noteLive(app);
  if (app.url !== null) {
    const accountIds = config.accounts.map(({ accountId }) => accountId);
    await Promise.race([waitForFirstAnswers(app.board, accountIds, stopSignal), next]);
    if (!stopSignal.aborted) log.print(describeFirstSteps(config, app, process.cwd()));
    if (isFirst && setup && !stopSignal.aborted)
      log.print(`set up live accounts (one-time link, valid 30 min): ${setup.link}`);
  }
  return stopped;
}

function hasOwnSimulator({ sources, simulator }: Config): boolean {
  return sources === 'simulator' && simulator.url === null;
}

interface StartLog {
  /** If absent, the service uses its own logger, which writes JSON. */
  logger?: Logger;
  print(text: string): void;
  /** Starts following backfill progress. */
  follow(board: BoardReader): void;
}

const REDRAW_MS = 100;

function createStartLog(config: Config, terminal: Terminal): StartLog {
  const { notes, output, clock } = terminal;
  if (!isForPeople(config.logFormat, notes)) return { print: (text) => print(terminal, text), follow() {} };
  const log = createTerminalLog(notes);
  const coming = new Map<string, string>();
  let board: BoardReader | null = null;
  let drawnTs = 0;

  function draw(isUrgent: boolean): void {
    if (!notes.isTTY || (!isUrgent && clock.now() - drawnTs < REDRAW_MS)) return;
    drawnTs = clock.now();
    const parts = [...coming].map(([segment, accountId]) => {
      const posts = board?.find(accountId)?.totalPosts ?? 0;
      return `${segment} ${posts.toLocaleString('en-US')} posts`;
    });
    log.progress(parts.length === 0 ? null : `backfilling: ${parts.join(', ')}`);
  }

  function hear(entry: LogEntry): void {
    const account = config.accounts.find(({ segment }) => segment === entry.account);
    if (entry.msg === PAST_COMING && account) {
      coming.set(account.segment, account.accountId);
      draw(true);
      return;
    }
    if ((entry.msg === PAST_IN || entry.msg === PAST_INCOMPLETE) && account) {
      coming.delete(account.segment);
      draw(true);
    }
    log.entry(entry);
  }

  return {
    logger: createEntryLogger(config.logLevel, hear),
    // On a terminal, text and the progress line share the screen, so they need one writer.
    print: output.isTTY ? (text) => log.print(text) : (text) => print(terminal, text),
    follow(found) {
      board = found;
      const leave = board.listen(() => {
        if (coming.size > 0) draw(false);
      });
      terminal.stopSignal().addEventListener('abort', () => {
        leave();
        coming.clear();
        draw(true);
      });
    },
  };
}
