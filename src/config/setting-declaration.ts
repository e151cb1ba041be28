// Type of a setting. One row serves the config file, environment, flags, help and the JSON Schema.

import { UsageError } from '../runtime/errors.ts';

export type SettingValue = string | number | boolean | readonly string[] | null;

export interface Setting {
  /** Environment variable; the file key and the flag are derived from it. */
  name: string;
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'choice' | 'list';
  default: SettingValue;
  description: string;
  isSecret?: boolean;
  min?: number;
  max?: number;
  choices?: readonly string[];
  /** Maps a former choice to the one that replaced it. */
  formerChoices?: Readonly<Record<string, string>>;
  pattern?: RegExp;
  /** Describes the pattern for people. */
  allowed?: string;
  /** Only an environment variable or flag, because this key has another meaning in the file. */
  isNotInFile?: boolean;
  /**
   * Shorthand for a field of an `accounts` entry, or used only by a lab tool or the simulator: listed in a
   * group and omitted from the schema.
   */
  isShorthand?: boolean;
}

/** ACCOUNT_A_HANDLE -> accountAHandle */
export function fileKey(setting: Pick<Setting, 'name'>): string {
  return setting.name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** ACCOUNT_A_HANDLE -> --account-a-handle */
export function flagName(setting: Pick<Setting, 'name'>): string {
  return `--${setting.name.toLowerCase().replaceAll('_', '-')}`;
}

/** What is needed to parse and describe a value. */
export type ValueSpec = Pick<
  Setting,
  'kind' | 'min' | 'max' | 'choices' | 'formerChoices' | 'pattern' | 'allowed'
>;

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
  if (setting.choices) {
    const choice = setting.formerChoices?.[given] ?? given;
    return setting.choices.includes(choice) ? choice : undefined;
  }
  if (setting.pattern && !setting.pattern.test(given)) return undefined;
  return given;
}
