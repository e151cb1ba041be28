// npm run backup -- FILE [--force]: one file with everything the store holds, taken while the service runs.

import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { toPlace } from '../store/transfer/place.ts';
import { createProgressBar } from '../store/transfer/progress-bar.ts';
import { backUp } from '../store/transfer/transfer.ts';
import { parseTransferArguments } from '../store/transfer/transfer-arguments.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const config = loadConfig(argv, readEnvironment());
  const { file, force } = parseTransferArguments('backup', config.rest);
  const bar = createProgressBar(process.stderr);
  const place = toPlace(config.secrets.directDatabaseUrl ?? config.secrets.databaseUrl, config.dataDir);
  await backUp(place, file, { force, nowTs: systemClock.now(), onProgress: bar.show });
  bar.finish();
  console.error(`backup written to ${file}`);
});
