// Merges file, environment and flags, in ascending precedence. A bad value stops the start with a message.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import { isNear } from '../runtime/near-words.ts';
import { rememberSecrets, secretsInUrl } from '../runtime/secrets.ts';
import { SETTINGS } from './all-settings.ts';
import { fileKey, flagName, parseSetting, type Setting, type SettingValue } from './setting-declaration.ts';

export interface LoadedSettings {
  values: ReadonlyMap<string, SettingValue>;
  /** Origin of each value: default, file, environment or flag. */
  origins: ReadonlyMap<string, string>;
  /** `accounts` from the file, unparsed; undefined if the file has none. */
  accountList?: unknown;
  /** Arguments that are not settings, in order. */
  rest: readonly string[];
}

export const ACCOUNT_LIST_KEY = 'accounts';

export function loadSettings(
  argv: readonly string[],
  env: Record<string, string | undefined>,
): LoadedSettings {
  const { flags, rest } = readFlags(argv);
  const file = readConfigFile(configFilePath(env), env.TALLYCAST_CONFIG !== undefined);
  const values = new Map<string, SettingValue>();
  const origins = new Map<string, string>();
  for (const setting of SETTINGS) {
    const { value, origin } = resolve(setting, flags, env, file);
    values.set(setting.name, value);
    if (typeof value === 'string') rememberSecrets(setting.isSecret ? [value] : secretsInUrl(value));
    origins.set(setting.name, origin);
  }
  return { values, origins, accountList: file[ACCOUNT_LIST_KEY], rest };
}

function resolve(
  setting: Setting,
  flags: Map<string, string | string[]>,
  env: Record<string, string | undefined>,
  file: Record<string, unknown>,
): { value: SettingValue; origin: string } {
  const flag = flags.get(setting.name);
  if (flag !== undefined) return { value: parseSetting(setting, flag, flagName(setting)), origin: 'flag' };
  const variable = env[setting.name];
  if (variable !== undefined && variable !== '') {
    return { value: parseSetting(setting, variable, 'environment'), origin: 'environment' };
  }
  if (!setting.isNotInFile && fileKey(setting) in file) {
    return {
      value: parseSetting(setting, file[fileKey(setting)], `key ${fileKey(setting)}`),
      origin: 'file',
    };
  }
  return { value: setting.default, origin: 'default' };
}

function readFlags(argv: readonly string[]): { flags: Map<string, string | string[]>; rest: string[] } {
  const flags = new Map<string, string | string[]>();
  const rest: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = splitFlag(argv[i]!);
    const setting = SETTINGS.find((candidate) => flagName(candidate) === name);
    if (!setting) {
      rest.push(argv[i]!);
      continue;
    }
    const text = inline ?? (setting.kind === 'boolean' && !isValue(argv[i + 1]) ? 'true' : argv[++i]);
    if (text === undefined) throw new UsageError(`${name} needs a value`);
    if (setting.kind === 'list')
      flags.set(setting.name, [...((flags.get(setting.name) as string[]) ?? []), text]);
    else flags.set(setting.name, text);
  }
  return { flags, rest };
}

function splitFlag(argument: string): [string, string | undefined] {
  const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function isValue(argument: string | undefined): boolean {
  return argument !== undefined && !argument.startsWith('--');
}

function readConfigFile(path: string, isRequired: boolean): Record<string, unknown> {
  if (isRequired && !existsSync(path))
    throw new UsageError(`TALLYCAST_CONFIG is set to ${path}, which does not exist`);
  const keys = readConfigObject(path);
  const known = new Set([...SETTINGS.map(fileKey), ACCOUNT_LIST_KEY, '$schema']);
  const unknown = Object.keys(keys).find((key) => !known.has(key));
  if (unknown) {
    const near = [...known].find((key) => isNear(key, unknown));
    const hint = near ? `did you mean ${near}? ` : '';
    throw new UsageError(
      `${path} has the unknown key ${unknown}; ${hint}npx tallycast config --help-all lists all keys`,
    );
  }
  return keys;
}

// Reads and writes the whole configuration file.

const USUAL = 'tallycast.config.json';

export function configFilePath(env: Readonly<Record<string, string | undefined>>): string {
  return env.TALLYCAST_CONFIG ?? USUAL;
}

export function readConfigObject(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The parser's message quotes the surrounding text, which may contain a secret.
    const place = /\(line \d+ column \d+\)/.exec(errorMessage(error))?.[0] ?? '';
    throw new UsageError(`${path} is not valid JSON ${place}`.trimEnd());
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError(`${path} must contain one JSON object`);
  }
  return parsed as Record<string, unknown>;
}

/** Atomic: a crash during the write leaves the old file unchanged. */
export function writeConfigObject(path: string, content: object): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
