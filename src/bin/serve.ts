// npm start: the whole service, on the pretend world unless live sources are configured.

import { describeFirstSteps, describeStart } from '../app/describe-start.ts';
import { explainStartFailure } from '../app/explain-start-failure.ts';
import { waitForFirstAnswers } from '../app/first-answers.ts';
import { startApp } from '../app-context.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { UsageError } from '../runtime/errors.ts';
import { describeFaults } from '../world/faults/fault-registry.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const config = loadConfig(argv, readEnvironment());
  if (config.world.faults.includes('help')) return console.log(describeFaults());
  if (config.rest.length > 0)
    throw new UsageError(`unknown argument ${config.rest[0]}; npm run config -- --help lists all`);
  const app = await startApp(config).catch((error: unknown) => {
    throw explainStartFailure(error, config);
  });
  console.log(describeStart(app));
  const stopping = new AbortController();
  // A terminal, npm and a process manager may each pass the same signal on: together they mean one stop.
  const stop = () => {
    if (!stopping.signal.aborted) void app.stop();
    stopping.abort();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (app.url === null) return;
  const accountIds = config.accounts.map(({ accountId }) => accountId);
  await waitForFirstAnswers(app.board, accountIds, stopping.signal);
  if (!stopping.signal.aborted) console.log(describeFirstSteps(config, app));
});
