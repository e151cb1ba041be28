// Issues, lists, revokes and rotates API keys. Only the key goes to stdout, everything else to stderr.

import { createKeyService, type IssuedKey, type KeyService } from '../../access/key-service.ts';
import { loadConfig } from '../../config/config.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { ApiKeyRecord, KeyStore, Tier } from '../../store/ports.ts';
import { readWordsAndOptions } from '../arguments.ts';
import { type Command, note, print } from '../command.ts';
import { withStore } from '../open-configured-store.ts';
import { toPrintable } from '../text-table.ts';

export const usage = `usage: npx tallycast keys issue --tier FREE|PRO|INTERNAL --label NAME [--expires-in-days N]
       npx tallycast keys list [--json]
       npx tallycast keys revoke KEY_OR_ID
       npx tallycast keys rotate KEY_OR_ID

The key is shown once, on stdout; its id and notes go to stderr. A running service accepts a new key immediately and
rejects a revoked one within seconds. Settings such as --data-dir select the store.

examples:
  KEY=$(npx tallycast keys issue --tier PRO --label me)
  npx tallycast keys list --json | jq '.[].label'`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  await withStore(config, ({ keys }) =>
    runKeysCommand(config.rest, {
      keys,
      clock: terminal.clock,
      print: (line) => print(terminal, line),
      report: (line) => note(terminal, line),
    }),
  );
  return undefined;
};

export interface KeysCommandIo {
  keys: KeyStore;
  clock: Clock;
  print(line: string): void;
  report(line: string): void;
}

export async function runKeysCommand(args: readonly string[], io: KeysCommandIo): Promise<void> {
  const { values, positionals } = readWordsAndOptions(args, 2, {
    tier: { type: 'string' },
    label: { type: 'string' },
    'expires-in-days': { type: 'string' },
    json: { type: 'boolean' },
  });
  const keyService = createKeyService(io.keys, io.clock);
  const [verb, subject] = positionals;
  if (subject !== undefined && verb !== 'revoke' && verb !== 'rotate')
    throw new UsageError(`unexpected argument "${subject}"`);
  if (verb === 'issue') await issue(keyService, values, io);
  else if (verb === 'list') await list(keyService, values.json ?? false, io);
  else if (verb === 'revoke') printRevoked(await keyService.revoke(need(subject)), io);
  else if (verb === 'rotate') printIssued(await keyService.rotate(need(subject)), io);
  else throw new UsageError('expected issue, list, revoke or rotate');
}

function printRevoked(record: ApiKeyRecord, io: KeysCommandIo): void {
  io.report(`revoked ${record.keyId} (${record.tier}, ${record.label})`);
}

interface Values {
  tier?: string;
  label?: string;
  'expires-in-days'?: string;
  json?: boolean;
}

async function issue(keyService: KeyService, values: Values, io: KeysCommandIo): Promise<void> {
  const tier = values.tier?.toUpperCase();
  if (tier !== 'FREE' && tier !== 'PRO' && tier !== 'INTERNAL') {
    throw new UsageError(`--tier is ${values.tier ?? 'missing'}; use FREE, PRO or INTERNAL`);
  }
  if (!values.label) throw new UsageError('--label is missing; pass a name for the key');
  const expiresTs = readExpiry(values['expires-in-days'], io.clock);
  printIssued(await keyService.issue({ tier: tier as Tier, label: values.label, expiresTs }), io);
}

function readExpiry(text: string | undefined, clock: Clock): number | null {
  if (text === undefined) return null;
  const days = Number(text);
  if (!(days > 0)) throw new UsageError(`--expires-in-days is ${text}; it must be a number above 0`);
  return Math.round(clock.now() + days * DAY_MS);
}

function printIssued({ key, record }: IssuedKey, io: KeysCommandIo): void {
  io.print(key);
  io.report(`id ${record.keyId}, tier ${record.tier}, label ${record.label}; the key is not shown again`);
}

async function list(keyService: KeyService, isJson: boolean, io: KeysCommandIo): Promise<void> {
  const records = await keyService.list();
  if (isJson) {
    io.print(JSON.stringify(records.map(({ digest: _, ...shown }) => shown)));
    return;
  }
  for (const record of records) io.print(describe(record, io.clock.now()));
}

function describe(record: ApiKeyRecord, nowTs: number): string {
  const isExpired = record.expiresTs !== null && record.expiresTs <= nowTs;
  const state = record.revokedTs !== null ? 'revoked' : isExpired ? 'expired' : 'active';
  const shape = `${record.firstCharacters}…${record.lastCharacters}`;
  const created = new Date(record.createdTs).toISOString();
  return [
    record.keyId,
    record.tier.padEnd(8),
    state.padEnd(7),
    created,
    shape,
    toPrintable(record.label),
  ].join('  ');
}

function need(subject: string | undefined): string {
  if (!subject) throw new UsageError('a key or its id is missing');
  return subject;
}
