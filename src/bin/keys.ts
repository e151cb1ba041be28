// npm run -s keys -- issue|list|revoke|rotate

import { KEYS_USAGE, runKeysCommand } from '../api/access/keys-command.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openStore } from '../store/open-store.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  if (argv.includes('--help')) return console.log(KEYS_USAGE);
  const config = loadConfig(argv, readEnvironment());
  const { databaseUrl, directDatabaseUrl } = config.secrets;
  const services = { clock: systemClock, logger: silentLogger };
  const store = await openStore({ databaseUrl, directDatabaseUrl, dataDir: config.dataDir, ...services });
  try {
    await runKeysCommand(config.rest, {
      keys: store.keys,
      clock: systemClock,
      print: (line) => console.log(line),
      tell: (line) => console.error(line),
    });
  } finally {
    await store.close();
  }
});
