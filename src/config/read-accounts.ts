// Parses `accounts` in the configuration file into profiles. Rejects a bad entry with a one-line message that
// includes the account and the field.

import type { Account, PostSourceChoice } from '../domain/account.ts';
import { type AccountDraft, completeProfile } from '../domain/account-profile.ts';
import type { ContractSeries } from '../domain/contract.ts';
import { MAIN_FEED_RULE } from '../domain/counting-rule.ts';
import { ConfigurationError } from '../runtime/errors.ts';
import { ACCOUNT_FIELDS, CONTRACT_FIELDS, type Fields, HINT_FIELDS, RULE_FIELDS } from './account-fields.ts';
import { convertSetting, describeAllowed, type SettingValue, type ValueSpec } from './setting-declaration.ts';

type Values = Record<string, SettingValue>;

export function readAccountList(given: unknown): Account[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw new ConfigurationError('accounts in the file must list at least one account');
  }
  return given.map(readAccount);
}

function readAccount(given: unknown, place: number): Account {
  const who = nameEntry(given, place);
  const { countingRule, contracts, forecastHints, postSources, ...plain } = asObject(given, who);
  const { id, series, tagId, slugPrefix, ...values } = readFields(plain, ACCOUNT_FIELDS, who);
  if (id === undefined)
    throw new ConfigurationError(`${who}: id is missing; ${describeAllowed(ACCOUNT_FIELDS.id)}`);
  const rule = readFields(countingRule ?? {}, RULE_FIELDS, `${who}: countingRule`);
  const hints = readFields(forecastHints ?? {}, HINT_FIELDS, `${who}: forecastHints`);
  const draft = {
    ...values,
    accountId: id,
    market: { seriesSlugs: series ?? [], tagId: tagId ?? null, slugPrefix: slugPrefix ?? null },
    countingRule: { ...MAIN_FEED_RULE, ...rule },
    forecastHints: hints,
    ...(postSources === undefined ? {} : { postSources: readPostSources(postSources, who) }),
  };
  const account = completeProfile(draft as AccountDraft, place);
  return contracts === undefined
    ? account
    : { ...account, contracts: readContracts(contracts, account, who) };
}

/** Each contract inherits the account's counting rule except for the fields it sets. */
function readContracts(given: unknown, account: Account, who: string): ContractSeries[] {
  const list = Array.isArray(given) ? given : [];
  if (list.length === 0) throw new ConfigurationError(`${who}: contracts must have at least one entry`);
  return list.map((item, i) => {
    const where = `${who}: contracts[${i}]`;
    const { countingRule, ...plain } = asObject(item, where);
    const values = readFields(plain, CONTRACT_FIELDS, where);
    const rule = readFields(countingRule ?? {}, RULE_FIELDS, `${where}: countingRule`);
    const missing = ['venue', 'series', 'settlementSource'].find((name) => values[name] === undefined);
    if (missing) throw new ConfigurationError(`${where}: ${missing} is missing`);
    return {
      timeZone: account.marketTimeZone,
      ...(values as Pick<ContractSeries, 'venue' | 'series' | 'settlementSource'>),
      countingRule: { ...account.countingRule, ...rule },
    };
  });
}

/** Refers to the entry as it appears in the file: accounts[1] "b". */
function nameEntry(given: unknown, place: number): string {
  const id = (given as { id?: unknown } | null)?.id;
  return `accounts[${place}]${typeof id === 'string' ? ` "${id}"` : ''}`;
}

function asObject(given: unknown, who: string): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ConfigurationError(`${who} must be an object`);
  }
  return given as Record<string, unknown>;
}

function readFields(given: unknown, fields: Fields, who: string): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(asObject(given, who))) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new ConfigurationError(`${who}: ${name} is not a field; known: ${listKnown(fields)}`);
    values[name] = readField(field, value, `${who}: ${name}`);
  }
  return values;
}

function listKnown(fields: Fields): string {
  const nested =
    fields === ACCOUNT_FIELDS ? ['countingRule', 'contracts', 'forecastHints', 'postSources'] : [];
  return [...Object.keys(fields), ...nested].join(', ');
}

function readField(field: ValueSpec, given: unknown, what: string): SettingValue {
  // Only environment variables and flags are text; in the file, numbers and lists must be JSON.
  const isRightType = typeof given !== 'string' || field.kind === 'string' || field.kind === 'choice';
  const value = isRightType ? convertSetting(field, given) : undefined;
  if (value !== undefined) return value;
  throw new ConfigurationError(`${what} is ${JSON.stringify(given)}; allowed: ${describeAllowed(field)}`);
}

function readPostSources(given: unknown, who: string): PostSourceChoice[] {
  const list = Array.isArray(given) ? given : [];
  if (list.length === 0) throw new ConfigurationError(`${who}: postSources must have at least one entry`);
  return list.map((item, i) => {
    const { kind, options } = asObject(item, `${who}: postSources[${i}]`);
    const isPlain = Object.values(options ?? {}).every((value) => typeof value === 'string');
    if (typeof kind !== 'string' || kind === '' || !isPlain) {
      throw new ConfigurationError(`${who}: postSources[${i}] needs a kind; its options must be strings`);
    }
    return options === undefined ? { kind } : { kind, options: options as Record<string, string> };
  });
}
