// The whole service, on the pretend world unless live sources are configured.

import { startApp } from '../../app/composition.ts';
import { describeFirstSteps, describeStart } from '../../app/describe-start.ts';
import { explainStartFailure } from '../../app/explain-start-failure.ts';
import { waitForFirstAnswers } from '../../app/first-answers.ts';
import { loadConfig } from '../../config/config.ts';
import { describeHelp } from '../../config/describe-config.ts';
import { describeFaults } from '../../world/faults/fault-registry.ts';
import { readOptions } from '../arguments.ts';
import { type Command, print } from '../command.ts';
import { untilStopped } from '../until-stopped.ts';

export const usage = `usage: npx tallycast start [settings]        npm start -- [settings]

Runs the service until stopped: on the pretend world, unless live sources are configured (docs/going-live.md).

examples:
  npm start
  npm start -- --port 9000 --data-dir ./other
  npm start -- --world-speed 60 --payments demo
  npm start -- --fault help        the pretend world's faults

settings: a flag goes before the environment, the environment before tallycast.config.json
${describeHelp()}`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env);
  if (config.world.faults.includes('help')) {
    print(terminal, describeFaults());
    return undefined;
  }
  readOptions(config.rest, {});
  const stopSignal = terminal.stopSignal();
  const app = await startApp(config).catch((error: unknown) => {
    throw explainStartFailure(error, config);
  });
  const stopped = untilStopped(stopSignal).then(() => app.stop());
  print(terminal, describeStart(app));
  if (app.url !== null) {
    const accountIds = config.accounts.map(({ accountId }) => accountId);
    await waitForFirstAnswers(app.board, accountIds, stopSignal);
    if (!stopSignal.aborted) print(terminal, describeFirstSteps(config, app));
  }
  await stopped;
  return undefined;
};
