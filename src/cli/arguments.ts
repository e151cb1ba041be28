// Parses command lines into typed values. Invalid input throws a UsageError that identifies the argument.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { SETTINGS } from '../config/all-settings.ts';
import { flagName } from '../config/setting-declaration.ts';
import type { Account } from '../domain/account.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import { isNear } from '../runtime/near-words.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options that take a value. */
export function texts<const N extends string>(...names: N[]): Record<N, { type: 'string' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as ReturnType<typeof texts<N>>;
}

/** Options without a value. */
export function flags<const N extends string>(...names: N[]): Record<N, { type: 'boolean' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) as ReturnType<typeof flags<N>>;
}

/** Accepts options only; rejects positional arguments. */
export function readOptions<const O extends Options>(args: readonly string[], options: O) {
  return read({ args: [...args], options, allowPositionals: false });
}

/** Accepts options and up to `mostWords` positional arguments. */
export function readWordsAndOptions<const O extends Options>(
  args: readonly string[],
  mostWords: number,
  options: O,
) {
  const parsed = read({ args: [...args], options, allowPositionals: true });
  const tooMuch = parsed.positionals[mostWords];
  if (tooMuch !== undefined) throw new UsageError(`unexpected argument "${tooMuch}"`);
  return parsed;
}

function read<const C extends ParseArgsConfig>(config: C) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}${suggest(errorMessage(error), config)}`);
  }
}

/** Suggests the correct name for a misspelt option or setting flag. */
function suggest(message: string, { options = {} }: ParseArgsConfig): string {
  const typed = /^Unknown option '--([\w-]+)'/.exec(message)?.[1] ?? '';
  const known = [...Object.keys(options), ...SETTINGS.map((setting) => flagName(setting).slice(2))];
  const near = known.find((name) => isNear(name, typed));
  return near ? `; did you mean --${near}?` : '';
}

export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing`);
  return value;
}

export function readWhole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name}: "${text}" is not a whole number`);
  return Number(text);
}

export function readPositive(name: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new UsageError(`${name}: "${text}" is not a positive number`);
  return value;
}

/** Accepts UTC milliseconds or an ISO time. */
export function readInstant(name: string, text: string): number {
  const ts = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(ts)) throw new UsageError(`${name}: "${text}" is not a time`);
  return ts;
}

export function findAccount<A extends Pick<Account, 'accountId' | 'segment'>>(
  accounts: readonly A[],
  name: string,
): A {
  const account = accounts.find(({ accountId, segment }) => accountId === name || segment === name);
  if (!account)
    throw new UsageError(`--account must be one of ${accounts.map(({ accountId }) => accountId).join(', ')}`);
  return account;
}

export function readNumberWithin(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new UsageError(`${name}: "${text}" is not a number from ${least} to ${most}`);
  }
  return value;
}
