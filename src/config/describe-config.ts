// The effective configuration as text, the help, and the JSON Schema for editors: all from the one table.

import type { LoadedSettings } from './load-config.ts';
import { describeAllowed, fileKey, flagName, type Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

export function describeEffective(loaded: LoadedSettings): string {
  const width = Math.max(...SETTINGS.map((setting) => setting.name.length));
  return SETTINGS.map((setting) => {
    const value = loaded.values.get(setting.name);
    const shown = setting.isSecret && value !== null ? '********' : JSON.stringify(value);
    return `${setting.name.padEnd(width)}  ${shown}  (${loaded.origins.get(setting.name)})`;
  }).join('\n');
}

export function describeHelp(): string {
  return SETTINGS.map(
    (setting) =>
      `${setting.name}  ${flagName(setting)}  "${fileKey(setting)}"\n    ${setting.description}\n` +
      `    ${describeAllowed(setting)}; default ${JSON.stringify(setting.default)}`,
  ).join('\n');
}

export function buildConfigSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tallycast configuration',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(SETTINGS.map((setting) => [fileKey(setting), settingSchema(setting)])),
    },
  };
}

function settingSchema(setting: Setting): object {
  const type = setting.kind === 'choice' ? 'string' : setting.kind === 'list' ? 'array' : setting.kind;
  return {
    description: `${setting.description} Environment: ${setting.name}.`,
    type: setting.default === null ? [type, 'null'] : type,
    ...(setting.default === null ? {} : { default: setting.default }),
    ...(setting.choices ? { enum: setting.choices } : {}),
    ...(setting.min === undefined ? {} : { minimum: setting.min }),
    ...(setting.max === undefined ? {} : { maximum: setting.max }),
    ...(setting.pattern && setting.kind === 'string' ? { pattern: setting.pattern.source } : {}),
    ...(setting.kind === 'list' ? { items: { type: 'string' } } : {}),
  };
}
