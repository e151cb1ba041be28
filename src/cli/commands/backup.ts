// Writes the whole store to one file. The service may be running.

import { loadConfig } from '../../config/config.ts';
import { backUp } from '../../store/backup.ts';
import { readWordsAndOptions, required } from '../arguments.ts';
import { type Command, note } from '../command.ts';

export const usage = `usage: npx tallycast backup FILE [--force] [settings]

Write the whole store to one file: a SQLite file, or with PostgreSQL an archive of pg_dump, which must be installed. Safe
to run while the service is up. To restore, stop the service, then copy the SQLite file to DATA_DIR/tallycast.sqlite
(remove tallycast.sqlite-wal and -shm), or run pg_restore --clean --if-exists --dbname DATABASE_URL FILE.

  --force   replace an existing file

examples:
  npx tallycast backup tallycast-backup.sqlite`;

export const run: Command['run'] = async (args, terminal) => {
  const { rest, secrets, dataDir } = loadConfig(args, terminal.env, 'store');
  const { values, positionals } = readWordsAndOptions(rest, 1, { force: { type: 'boolean' } });
  const file = required(positionals[0], 'FILE');
  const databaseUrl = secrets.directDatabaseUrl ?? secrets.databaseUrl;
  await backUp(file, { dataDir, databaseUrl, force: values.force ?? false, env: terminal.env });
  note(terminal, `backup written to ${file}`);
  return undefined;
};
