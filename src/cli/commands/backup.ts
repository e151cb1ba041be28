// Writes the whole store to one file. The service may be running.

import { loadConfig } from '../../config/config.ts';
import { toPlace } from '../../store/transfer/place.ts';
import { backUp } from '../../store/transfer/transfer.ts';
import { type Command, note } from '../command.ts';
import { createProgressBar, parseTransferArguments } from '../transfer-arguments.ts';

export const usage = `usage: npx tallycast backup FILE [--force] [settings]

Write the whole store to one file, then compare row counts and checksums. Safe to run while the service is up.

  --force   replace an existing file

examples:
  npx tallycast backup tallycast-backup.sqlite`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const { file, force } = parseTransferArguments(config.rest);
  const bar = createProgressBar(terminal.notes);
  const place = toPlace(config.secrets.directDatabaseUrl ?? config.secrets.databaseUrl, config.dataDir);
  await backUp(place, file, { force, nowTs: terminal.clock.now(), onProgress: bar.show });
  bar.finish();
  note(terminal, `backup written to ${file}`);
  return undefined;
};
