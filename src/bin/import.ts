// npm run import -- FILE.csv [--account a|b]

import { IMPORT_USAGE, runImport } from '../cli/import-command.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openStore } from '../store/open-store.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  if (argv.includes('--help')) return console.log(IMPORT_USAGE);
  const config = loadConfig(argv, readEnvironment());
  const { databaseUrl, directDatabaseUrl } = config.secrets;
  const services = { clock: systemClock, logger: silentLogger };
  const store = await openStore({ databaseUrl, directDatabaseUrl, dataDir: config.dataDir, ...services });
  try {
    await runImport(config.rest, {
      posts: store.posts,
      accounts: config.accounts,
      nowTs: systemClock.now(),
      print: (text) => void process.stdout.write(text),
      progress: process.stderr,
    });
  } finally {
    await store.close();
  }
});
