// Renamed settings. A former name applies unless its successor is set.

import { fileKey, flagName } from './setting-declaration.ts';

const FORMER_NAMES: Readonly<Record<string, string>> = {
  WORLD_SPEED: 'SIMULATOR_SPEED',
  WORLD_SEED: 'SIMULATOR_SEED',
  WORLD_URL: 'SIMULATOR_URL',
};

const FORMER_FLAGS = renameBy(flagName);
const FORMER_KEYS = renameBy(fileKey);

function renameBy(derive: (setting: { name: string }) => string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(FORMER_NAMES).map(([former, name]) => [derive({ name: former }), derive({ name })]),
  );
}

export function renameFlag(argument: string): string {
  const [flag = '', ...rest] = argument.split('=');
  return [FORMER_FLAGS.get(flag) ?? flag, ...rest].join('=');
}

export function renameVariables(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const renamed = Object.entries(FORMER_NAMES).map(([former, name]) => [name, env[former]] as const);
  return { ...Object.fromEntries(renamed.filter(([, value]) => value !== undefined)), ...env };
}

export function renameKeys(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(file).map(([key, value]) => [FORMER_KEYS.get(key) ?? key, value]));
}
