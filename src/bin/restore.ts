// npm run restore -- FILE [--force]: puts a backup into the configured store, whole or not at all.

import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { toPlace } from '../store/transfer/place.ts';
import { createProgressBar } from '../store/transfer/progress-bar.ts';
import { restore } from '../store/transfer/transfer.ts';
import { describeCopied, parseTransferArguments } from '../store/transfer/transfer-arguments.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const config = loadConfig(argv, readEnvironment());
  const { file, force } = parseTransferArguments('restore', config.rest);
  const bar = createProgressBar(process.stderr);
  const place = toPlace(config.secrets.directDatabaseUrl ?? config.secrets.databaseUrl, config.dataDir);
  const copied = await restore(file, place, { force, nowTs: systemClock.now(), onProgress: bar.show });
  bar.finish();
  console.error(`restored ${describeCopied(copied)} from ${file}`);
});
