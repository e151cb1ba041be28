// Moves a SQLite store to PostgreSQL.

import { loadConfig } from '../../config/config.ts';
import { UsageError } from '../../runtime/errors.ts';
import { transfer } from '../../store/transfer.ts';
import { readWordsAndOptions, required } from '../arguments.ts';
import { type Command, note } from '../command.ts';

export const usage = `usage: npx tallycast transfer FILE [settings]

Copy a SQLite store, or a backup of one, into the PostgreSQL database of the settings, which must be empty. Stop the
service first, because what it writes meanwhile is not copied. Either every row arrives, or nothing changes.

examples:
  npx tallycast transfer ./data/tallycast.sqlite --database-url postgres://user:password@host/tallycast`;

export const run: Command['run'] = async (args, terminal) => {
  const { rest, secrets } = loadConfig(args, terminal.env, 'store');
  const { positionals } = readWordsAndOptions(rest, 1, {});
  const file = required(positionals[0], 'FILE');
  const databaseUrl = secrets.directDatabaseUrl ?? secrets.databaseUrl;
  if (!databaseUrl) throw new UsageError('Pass the database to fill: set DATABASE_URL to postgres://…');
  await transfer(file, databaseUrl, ({ table, rows }) => note(terminal, `${table}: ${rows} rows`));
  return undefined;
};
