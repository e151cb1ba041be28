// The whole service, on the simulator unless live sources are configured.

import { describeFaults } from '../../../lab/simulator/faults/fault-registry.ts';
import { startApp } from '../../app/composition.ts';
import { holdDataFolder } from '../../app/data-folder.ts';
import { describeFirstSteps, describeStart } from '../../app/describe-start.ts';
import { explainStartFailure } from '../../app/explain-start-failure.ts';
import { waitForFirstAnswers } from '../../app/first-answers.ts';
import { prepareSimulatorProcess } from '../../app/simulator-process.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { describeHelp } from '../../config/describe-config.ts';
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
in this folder (TALLYCAST_CONFIG names another file)
${describeHelp()}`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env);
  if (config.simulator.faults.includes('help')) {
    print(terminal, describeFaults());
    return undefined;
  }
  readOptions(config.rest, {});
  // Processes on one database are distinguished there; two on one folder must not both write.
  const isAlone = config.secrets.databaseUrl === null && config.role !== 'api';
  const folder = isAlone ? holdDataFolder(config.dataDir, terminal.clock.now()) : null;
  try {
    await serve(config, terminal);
  } finally {
    folder?.release();
  }
  return undefined;
};

async function serve(config: Config, terminal: Terminal): Promise<void> {
  const stopSignal = terminal.stopSignal();
  const log = createStartLog(config, terminal);
  const simulator = hasOwnSimulator(config) ? prepareSimulatorProcess() : null;
  const app = await startApp(config, {
    ...(log.logger ? { logger: log.logger } : {}),
    ...(simulator ? { openSimulator: simulator.open } : {}),
  }).catch((error: unknown) => {
    simulator?.end();
    throw explainStartFailure(error, config);
  });
  const stopped = untilStopped(stopSignal).then(() => app.stop());
  log.print(describeStart(app));
  log.follow(app.board);
  if (app.url !== null) {
    const accountIds = config.accounts.map(({ accountId }) => accountId);
    await waitForFirstAnswers(app.board, accountIds, stopSignal);
    if (!stopSignal.aborted) log.print(describeFirstSteps(config, app, process.cwd()));
  }
  await stopped;
}

function hasOwnSimulator({ sources, simulator }: Config): boolean {
  return sources === 'simulator' && simulator.url === null;
}
