// A setting is one row: from it come its type, parsing, environment variable, flag, help and JSON Schema.

import { UsageError } from '../runtime/errors.ts';

export type SettingValue = string | number | boolean | readonly string[] | null;

/** What is needed to parse and describe a value. */
export interface ValueSpec {
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'choice' | 'list';
  description: string;
  min?: number;
  max?: number;
  choices?: readonly string[];
  pattern?: RegExp;
  /** Checked in addition to the pattern. */
  isAllowed?: (value: string) => boolean;
  /** Describes the pattern for people. */
  allowed?: string;
}

/** One row of the table, under its environment variable; the file key and the flag are derived from that. */
export interface SettingRow extends ValueSpec {
  /** If missing: [] for a list, false for a boolean, otherwise null. */
  default?: SettingValue;
  isSecret?: boolean;
  /** Place in `Config` if it is not the file key (for a secret, `secrets.` and the key); null for none. */
  at?: string | null;
  /** Only an environment variable or flag, because this key has another meaning in the file. */
  isNotInFile?: boolean;
  /**
   * Shorthand for a field of an `accounts` entry, or used only by a lab tool or the simulator: listed in a
   * group and omitted from the schema.
   */
  isShorthand?: boolean;
}

export interface Setting extends SettingRow {
  name: string;
  default: SettingValue;
}

type Options = Omit<SettingRow, 'kind' | 'description' | 'choices'>;
// The options are a type parameter, so that the type of `Config` can be derived from the rows.
type Row<K extends SettingRow['kind'], O> = { kind: K; description: string } & O;

function rowOf<K extends SettingRow['kind']>(kind: K, common: Options = {}) {
  return <const O extends Options = object>(description: string, options?: O): Row<K, O> =>
    ({ kind, description, ...common, ...options }) as Row<K, O>;
}

export const text = rowOf('string');
export const url = rowOf('string', { pattern: /^https?:\/\/[^\s]+$/, allowed: 'http(s)://host' });
export const socketUrl = rowOf('string', { pattern: /^wss?:\/\/[^\s]+$/, allowed: 'ws(s)://host' });
export const integer = rowOf('integer');
export const port = rowOf('integer', { min: 0, max: 65_535 });
export const number = rowOf('number');
export const boolean = rowOf('boolean');
export const list = rowOf('list');

export function secret<const O extends Options = object>(description: string, options?: O) {
  return text(description, { ...(options as O), isSecret: true });
}

export function choice<const C extends readonly string[], const O extends Options = object>(
  choices: C,
  description: string,
  options?: O,
): Row<'choice', O> & { choices: C } {
  return { kind: 'choice', description, choices, ...options } as Row<'choice', O> & { choices: C };
}

/** Gives every name of a family its prefix. */
export function withPrefix<P extends string, T extends object>(prefix: P, rows: T) {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}${name}`, row])) as {
    [N in keyof T & string as `${P}${N}`]: T[N];
  };
}

/** ACCOUNT_A_HANDLE -> accountAHandle */
export function fileKey(setting: Pick<Setting, 'name'>): string {
  return setting.name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** ACCOUNT_A_HANDLE -> --account-a-handle */
export function flagName(setting: Pick<Setting, 'name'>): string {
  return `--${setting.name.toLowerCase().replaceAll('_', '-')}`;
}

export function describeAllowed(setting: ValueSpec): string {
  if (setting.choices) return `one of ${setting.choices.join(', ')}`;
  if (setting.kind === 'boolean') return 'true or false';
  if (setting.allowed) return setting.allowed;
  if (setting.kind === 'integer' || setting.kind === 'number') {
    const noun = setting.kind === 'integer' ? 'a whole number' : 'a number';
    return `${noun} from ${setting.min ?? 'any'} to ${setting.max ?? 'any'}`;
  }
  return setting.kind === 'list' ? 'a list of strings' : 'text';
}

/** Parses one value from text (environment, flag) or JSON (file); `origin` says where it was set. */
export function parseSetting(setting: Setting, given: unknown, origin: string): SettingValue {
  const value = given === null && setting.default === null ? null : convertSetting(setting, given);
  if (value === undefined) {
    const shown = setting.isSecret ? '(hidden)' : JSON.stringify(given);
    throw new UsageError(`${setting.name} (${origin}) is ${shown}; allowed: ${describeAllowed(setting)}`);
  }
  return value;
}

/** undefined if the value is not allowed. */
export function convertSetting(setting: ValueSpec, given: unknown): SettingValue | undefined {
  switch (setting.kind) {
    case 'integer':
    case 'number':
      return convertNumber(setting, given);
    case 'boolean':
      return convertBoolean(given);
    case 'list':
      return convertList(setting, given);
    default:
      return convertText(setting, given);
  }
}

function convertNumber(setting: ValueSpec, given: unknown): number | undefined {
  if (typeof given === 'string' && !/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(given.trim()))
    return undefined;
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const value = Number(given);
  if (!Number.isFinite(value)) return undefined;
  if (setting.kind === 'integer' && !Number.isInteger(value)) return undefined;
  if (value < (setting.min ?? -Infinity) || value > (setting.max ?? Infinity)) return undefined;
  return value;
}

function convertBoolean(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given;
  if (typeof given !== 'string') return undefined;
  if (/^(1|true|yes|on)$/i.test(given)) return true;
  if (/^(0|false|no|off)$/i.test(given)) return false;
  return undefined;
}

function convertList(setting: ValueSpec, given: unknown): readonly string[] | undefined {
  const items = typeof given === 'string' ? given.split(',').filter((item) => item !== '') : given;
  if (!Array.isArray(items) || items.some((item) => typeof item !== 'string')) return undefined;
  if (setting.pattern && items.some((item) => !setting.pattern!.test(item))) return undefined;
  return items;
}

function convertText(setting: ValueSpec, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  if (setting.choices && !setting.choices.includes(given)) return undefined;
  if (setting.pattern && !setting.pattern.test(given)) return undefined;
  return (setting.isAllowed?.(given) ?? true) ? given : undefined;
}
