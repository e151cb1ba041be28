// Runs the whole service, on the simulator unless live sources are configured.

import { describeFaults } from '../../../simulator/faults/fault-registry.ts';
import { startApp } from '../../app/composition.ts';
import { holdDataFolder } from '../../app/data-folder.ts';
import { describeFirstSteps, describeStart } from '../../app/describe-start.ts';
import { explainStartFailure } from '../../app/explain-start-failure.ts';
import { waitForFirstAnswers } from '../../app/first-answers.ts';
import { canOfferSetup, offerSetup, type Setup } from '../../app/setup/offer-setup.ts';
import { prepareSimulatorProcess } from '../../app/simulator-process.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { describeHelp } from '../../config/describe-config.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { readOptions } from '../arguments.ts';
import { type Command, print, type Terminal } from '../command.ts';
import { createStartLog } from '../start-log.ts';
import { untilStopped } from '../until-stopped.ts';

export const usage = `usage: npx tallycast start [settings]        npm start -- [settings]

Run the service until stopped, on the simulator unless live sources are configured (docs/going-live.md).

examples:
  npm start
  npm start -- --port 9000 --data-dir ./other
  npm start -- --simulator-speed 60 --payments demo
  npm start -- --fault help        list the simulator's faults

settings: flags override environment variables, which override tallycast.config.json
in this folder (TALLYCAST_CONFIG selects another file)
${describeHelp()}`;

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
