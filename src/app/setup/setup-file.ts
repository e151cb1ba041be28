// Builds the configuration file that setup writes: preset accounts and credentials. Pure.

import { SETTINGS } from '../../config/all-settings.ts';
import { ACCOUNT_PRESETS, addPreset, removeAccount } from '../../config/presets.ts';
import { fileKey } from '../../config/setting-declaration.ts';
import { UsageError } from '../../runtime/errors.ts';
import { BUSY_POSTS_PER_DAY, estimateMonthUsd } from '../../sources/post-costs.ts';

export type ConfigFile = Record<string, unknown>;

type Environment = Readonly<Record<string, string | undefined>>;

export interface SetupDraft {
  /** Names of presets. */
  accounts: readonly string[];
  /** Credentials by setting; an empty string keeps the file's value. */
  credentials: Readonly<Record<string, string>>;
}

/** Credential fields on the setup page, in display order. */
const CREDENTIALS = [
  {
    name: 'X_BEARER_TOKEN',
    label: 'X API bearer token',
    use: `Fetches posts within seconds, for about ${estimateMonthUsd('x')} USD a month per account of ${BUSY_POSTS_PER_DAY} posts a day. Without it, posts come from the oracle’s list.`,
  },
  { name: 'MASTODON_TOKEN', label: 'Mastodon token', use: 'For servers that refuse anonymous reads.' },
  { name: 'TELEGRAM_BOT_TOKEN', label: 'Telegram bot token', use: 'Sends alerts to Telegram.' },
] as const;

const MAX_CHARACTERS = 500;

/** Returns the file with exactly these presets, its other accounts unchanged, and the given credentials. */
export function applyDraft(file: ConfigFile, draft: SetupDraft, env: Environment = {}): ConfigFile {
  const wanted = new Set(draft.accounts);
  const unknown = draft.accounts.find((name) => !ACCOUNT_PRESETS.some((preset) => preset.name === name));
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is not a known account`);
  let changed = file;
  const hasXToken =
    (draft.credentials.X_BEARER_TOKEN ?? '').trim() !== '' || isCredentialSet('X_BEARER_TOKEN', file, env);
  for (const preset of ACCOUNT_PRESETS) {
    const next = wanted.has(preset.name)
      ? addPreset(changed, preset, hasXToken)
      : removeAccount(changed, preset.entry.id);
    changed = next ?? changed;
  }
  if (!Array.isArray(changed.accounts)) throw new UsageError('choose at least one account');
  return { ...changed, ...readCredentials(draft.credentials) };
}

function readCredentials(given: SetupDraft['credentials']): ConfigFile {
  const entries = CREDENTIALS.flatMap(({ name, label }) => {
    const value = given[name]?.trim() ?? '';
    if (value === '') return [];
    if (value.length > MAX_CHARACTERS || /\s/.test(value))
      throw new UsageError(`${label} must be one word of at most ${MAX_CHARACTERS} characters`);
    return [[keyOf(name), value] as const];
  });
  return Object.fromEntries(entries);
}

/** Initial content of the page. Credential values are never sent. */
export function describeSetup(file: ConfigFile, env: Environment) {
  const accounts = Array.isArray(file.accounts) ? (file.accounts as { id?: unknown }[]) : [];
  return {
    presets: ACCOUNT_PRESETS.map(({ name, summary, entry }) => ({
      name,
      handle: entry.handle,
      summary,
      isChosen: accounts.some(({ id }) => id === entry.id),
    })),
    credentials: CREDENTIALS.map(({ name, label, use }) => ({
      name,
      label,
      use,
      isSet: isCredentialSet(name, file, env),
    })),
  };
}

/** In the file or the environment. */
export function isCredentialSet(name: string, file: ConfigFile, env: Environment): boolean {
  return keyOf(name) in file || (env[name] ?? '') !== '';
}

function keyOf(name: string): string {
  return fileKey(SETTINGS.find((setting) => setting.name === name)!);
}
