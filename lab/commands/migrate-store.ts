// Copies everything from one engine to the other, then compares both.

import { type Command, note, print } from '../../src/cli/command.ts';
import {
  createProgressBar,
  describeCopied,
  listTables,
  parseMoveArguments,
} from '../../src/cli/transfer-arguments.ts';
import { loadConfig } from '../../src/config/config.ts';
import { parsePlace, toPlace } from '../../src/store/transfer/place.ts';
import { migrateStore } from '../../src/store/transfer/transfer.ts';

export const usage = `usage: npx tallycast lab migrate-store --from sqlite DIR --to postgres URL [--force]

Copy every table, then compare and print row counts and checksums. The source is not changed.

  --from    source (default: the configured data folder)
  --to      target (default: the configured database)
  --force   replace the target's data

examples:
  npx tallycast lab migrate-store --from sqlite ./data --to postgres postgres://user@host/tallycast`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const { from, to, force } = parseMoveArguments(config.rest);
  const url = config.secrets.directDatabaseUrl ?? config.secrets.databaseUrl;
  const source = from ? parsePlace(from) : toPlace(null, config.dataDir);
  const target = to ? parsePlace(to) : toPlace(url, config.dataDir);
  const bar = createProgressBar(terminal.notes);
  const nowTs = terminal.clock.now();
  const copied = await migrateStore(source, target, { force, nowTs, onProgress: bar.show });
  bar.finish();
  print(terminal, listTables(copied));
  note(terminal, `copied ${describeCopied(copied)}; counts and checksums match`);
  return undefined;
};
