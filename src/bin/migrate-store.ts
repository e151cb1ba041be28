// npm run migrate-store -- --from sqlite DATA_DIR --to postgres URL [--force]: moves everything, then compares.

import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { parsePlace, toPlace } from '../store/transfer/place.ts';
import { createProgressBar } from '../store/transfer/progress-bar.ts';
import { migrateStore } from '../store/transfer/transfer.ts';
import { describeCopied, listTables, parseMoveArguments } from '../store/transfer/transfer-arguments.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const config = loadConfig(argv, readEnvironment());
  const { from, to, force } = parseMoveArguments(config.rest);
  const url = config.secrets.directDatabaseUrl ?? config.secrets.databaseUrl;
  const source = from ? parsePlace(from) : toPlace(null, config.dataDir);
  const target = to ? parsePlace(to) : toPlace(url, config.dataDir);
  const bar = createProgressBar(process.stderr);
  const copied = await migrateStore(source, target, {
    force,
    nowTs: systemClock.now(),
    onProgress: bar.show,
  });
  bar.finish();
  console.log(listTables(copied));
  console.error(`moved ${describeCopied(copied)}; counts and checksums agree`);
});
