// Lists, adds and removes known accounts in the configuration file, and checks a new account's sources.

import { isCredentialSet } from '../../app/setup/setup-file.ts';
import { configFilePath, readConfigObject, writeConfigObject } from '../../config/load-config.ts';
import {
  ACCOUNT_PRESETS,
  type AccountPreset,
  addPreset,
  describeSources,
  removeAccount,
} from '../../config/presets.ts';
import { UsageError } from '../../runtime/errors.ts';
import { type Command, DONE, note, print, type Terminal } from '../command.ts';
import { formatTable } from '../text-table.ts';

export const usage = `usage: npx tallycast accounts [list]
       npx tallycast accounts add NAME [--no-check]
       npx tallycast accounts remove NAME

List the known accounts, or add one with all its market series to tallycast.config.json (TALLYCAST_CONFIG selects another
file). No credentials are needed; set X_BEARER_TOKEN first to receive posts on X faster, at a cost. After adding an account, the command runs the
doctor on every source.

examples:
  npx tallycast accounts
  npx tallycast accounts add donald-trump`;

export const run: Command['run'] = async (args, terminal) => {
  const [action = 'list', name, ...rest] = args;
  const path = configFilePath(terminal.env);
  if (action === 'list') return list(terminal, path);
  if (action === 'add') return add(terminal, path, findPreset(name), rest);
  if (action === 'remove') return remove(terminal, path, name);
  throw new UsageError(`unknown action "${action}"; use list, add or remove`);
};

function list(terminal: Terminal, path: string): number {
  const followed = new Set(listFollowed(readConfigObject(path)));
  const rows = ACCOUNT_PRESETS.map(({ name, summary, entry }) => [
    name,
    entry.handle,
    followed.has(entry.id) ? 'followed' : '',
    summary,
  ]);
  print(terminal, formatTable(['name', 'handle', 'state', 'contracts'], rows).trimEnd());
  return DONE;
}

async function add(
  terminal: Terminal,
  path: string,
  preset: AccountPreset,
  rest: readonly string[],
): Promise<number> {
  const file = readConfigObject(path);
  const hasXToken = isCredentialSet('X_BEARER_TOKEN', file, terminal.env);
  const changed = addPreset(file, preset, hasXToken);
  if (changed) writeConfigObject(path, changed);
  note(terminal, changed ? `added ${preset.name} to ${path}` : `${preset.name} is already in ${path}`);
  for (const line of describeSources(changed ?? file, preset, hasXToken)) note(terminal, line);
  if (rest.includes('--no-check')) return DONE;
  const doctor = await import('./doctor.ts');
  return (await doctor.run([], terminal)) ?? DONE;
}

function remove(terminal: Terminal, path: string, name: string | undefined): number {
  const changed = name === undefined ? null : removeAccount(readConfigObject(path), name);
  if (!changed) throw new UsageError(`${path} has no account "${name ?? ''}"; pass a configured account`);
  writeConfigObject(path, changed);
  note(terminal, `removed ${name} from ${path}; its posts stay in the store`);
  return DONE;
}

function findPreset(name: string | undefined): AccountPreset {
  const found = ACCOUNT_PRESETS.find((preset) => preset.name === name);
  if (found) return found;
  const known = ACCOUNT_PRESETS.map((preset) => preset.name).join(', ');
  throw new UsageError(`"${name ?? ''}" is not a known account; known: ${known}`);
}

function listFollowed({ accounts }: Record<string, unknown>): unknown[] {
  return Array.isArray(accounts) ? accounts.map((account) => (account as { id?: unknown }).id) : [];
}
