// Restores a backup into the configured store, atomically.

import { loadConfig } from '../../config/config.ts';
import { toPlace } from '../../store/transfer/place.ts';
import { restore } from '../../store/transfer/transfer.ts';
import { type Command, note } from '../command.ts';
import { createProgressBar, describeCopied, parseTransferArguments } from '../transfer-arguments.ts';

export const usage = `usage: npx tallycast restore FILE [--force] [settings]

Restore a backup into the configured store in one transaction, then compare row counts and checksums.

  --force   replace the store's data

examples:
  npx tallycast restore tallycast-backup.sqlite --data-dir ./data`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const { file, force } = parseTransferArguments(config.rest);
  const bar = createProgressBar(terminal.notes);
  const place = toPlace(config.secrets.directDatabaseUrl ?? config.secrets.databaseUrl, config.dataDir);
  const copied = await restore(file, place, { force, nowTs: terminal.clock.now(), onProgress: bar.show });
  bar.finish();
  note(terminal, `restored ${describeCopied(copied)} from ${file}`);
  return undefined;
};
