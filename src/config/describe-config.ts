// Describes the configuration: effective values, help, and the JSON Schema for editors, all from one table.

import { redact } from '../runtime/secrets.ts';
import { ACCOUNT_FIELDS, CONTRACT_FIELDS, type Fields, HINT_FIELDS, RULE_FIELDS } from './account-fields.ts';
import { SETTINGS, type SettingName } from './all-settings.ts';
import { ACCOUNT_LIST_KEY, type LoadedSettings } from './load-config.ts';
import { describeAllowed, fileKey, flagName, type Setting, type ValueSpec } from './setting-declaration.ts';

const LISTED = SETTINGS.filter(({ isShorthand }) => !isShorthand);

export function describeEffective(loaded: LoadedSettings): string {
  const shown = SETTINGS.filter(
    (setting) => !setting.isShorthand || loaded.origins.get(setting.name) !== 'default',
  );
  const width = Math.max(...shown.map((setting) => setting.name.length));
  const list =
    loaded.accountList === undefined ? [] : [`accounts  ${JSON.stringify(loaded.accountList)}  (file)`];
  return shown
    .map((setting) => {
      const value = loaded.values.get(setting.name);
      const text = setting.isSecret && value !== null ? '********' : redact(JSON.stringify(value));
      return `${setting.name.padEnd(width)}  ${text}  (${loaded.origins.get(setting.name)})`;
    })
    .concat(list)
    .join('\n');
}

/** What most operators set. */
const COMMON: ReadonlySet<string> = new Set<SettingName>([
  ...(['HOST', 'PORT', 'METRICS_PORT', 'DATA_DIR', 'DATABASE_URL', 'ROLE', 'LOG_LEVEL'] as const),
  ...(['TRUSTED_PROXY_HOPS', 'PUBLIC_URL', 'DEFAULT_BANKROLL_USD', 'PUBLISH_TEXT'] as const),
  ...(['SOURCES', 'ACCOUNTS', 'VENUES', 'SIMULATOR_SPEED', 'SIMULATOR_SEED', 'MASTODON_BASE_URL'] as const),
  ...(['X_BEARER_TOKEN', 'X_MONTHLY_CAP_USD', 'KALSHI_KEY_ID', 'KALSHI_PRIVATE_KEY_FILE'] as const),
  ...(['PAYMENTS', 'PAY_TO', 'FACILITATOR_URL', 'TELEGRAM_BOT_TOKEN'] as const),
]);

export function describeCommon(): string {
  return `${describeSettings(SETTINGS.filter(({ name }) => COMMON.has(name)))}

npx tallycast config --help-all lists every setting and the fields of accounts.`;
}

export function describeHelp(): string {
  return [describeSettings(LISTED), describeAccountHelp()].join('\n');
}

function describeSettings(shown: readonly Setting[]): string {
  const settings = shown.map((setting) => {
    const key = setting.isNotInFile ? '' : `  "${fileKey(setting)}"`;
    return (
      `${setting.name}  ${flagName(setting)}${key}\n    ${setting.description}\n` +
      `    ${describeAllowed(setting)}; default ${JSON.stringify(setting.default)}`
    );
  });
  return settings.join('\n');
}

function describeAccountHelp(): string {
  const list = (fields: Fields, under = '') =>
    Object.entries(fields).map(
      ([name, field]) => `    "${under}${name}": ${field.description} ${describeAllowed(field)}`,
    );
  return [
    `"${ACCOUNT_LIST_KEY}" (file only)`,
    '    Accounts to follow, any number of them. Each has these fields:',
    ...list(ACCOUNT_FIELDS),
    ...list(RULE_FIELDS, 'countingRule.'),
    ...list(HINT_FIELDS, 'forecastHints.'),
    '"contracts": Series on additional venues. A list of entries with:',
    ...list(CONTRACT_FIELDS, 'contracts[].'),
    '    "contracts[].countingRule": Which posts count for its contracts; same fields as countingRule.',
    `"postSources": Sources of the account's posts, best first. A list of {"kind", "options"}.`,
    '',
    'Shorthand for two accounts without a file, as environment variables or flags:',
    `    ACCOUNT_A_ and ACCOUNT_B_ followed by ${listShorthand(/^ACCOUNT_A_/)}`,
    'Shorthand for post source options that apply to every account:',
    `    X_, MASTODON_, ORACLE_, RSS_ and ROLLCALL_ followed by ${listShorthand(/^X_/)}`,
    "Only for lab pay, and the URL of Telegram's API:",
    `    ${listShorthand(/^(?=PAY_|TELEGRAM_)/)}`,
    'Only for the simulator:',
    '    FAULT, a list of NAME or NAME=VALUE; --fault help lists them',
  ].join('\n');
}

function listShorthand(prefix: RegExp): string {
  const family = SETTINGS.filter(({ name, isShorthand }) => isShorthand && prefix.test(name));
  return family.map(({ name }) => name.replace(prefix, '')).join(', ');
}

export function buildConfigSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tallycast configuration',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      [ACCOUNT_LIST_KEY]: accountsSchema(),
      ...Object.fromEntries(
        LISTED.filter(({ isNotInFile }) => !isNotInFile).map((setting) => [
          fileKey(setting),
          settingSchema(setting),
        ]),
      ),
    },
  };
}

function accountsSchema(): object {
  const postSource = {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { type: 'string' },
      options: { type: 'object', additionalProperties: { type: 'string' } },
    },
  };
  const entry = fieldsSchema(ACCOUNT_FIELDS);
  return {
    description: 'Accounts to follow; the first two are A and B.',
    type: 'array',
    minItems: 1,
    items: {
      ...entry,
      required: ['id'],
      properties: {
        ...entry.properties,
        countingRule: {
          description: 'Which posts count; default: the main feed.',
          ...fieldsSchema(RULE_FIELDS),
        },
        contracts: {
          description: 'Series on additional venues, each with its own counting rule.',
          type: 'array',
          minItems: 1,
          items: contractSchema(),
        },
        forecastHints: {
          description: 'Forecast priors used until there is history.',
          ...fieldsSchema(HINT_FIELDS),
        },
        postSources: {
          description: "Sources of the account's posts, best first.",
          type: 'array',
          minItems: 1,
          items: postSource,
        },
      },
    },
  };
}

function contractSchema(): object {
  const entry = fieldsSchema(CONTRACT_FIELDS);
  return {
    ...entry,
    required: ['venue', 'series', 'settlementSource'],
    properties: {
      ...entry.properties,
      countingRule: {
        description: "Which posts count for its contracts; default: the account's rule.",
        ...fieldsSchema(RULE_FIELDS),
      },
    },
  };
}

function fieldsSchema(fields: Fields) {
  const properties = Object.entries(fields).map(
    ([name, field]) => [name, { description: field.description, ...valueSchema(field) }] as const,
  );
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

function settingSchema(setting: Setting): object {
  const { type, ...rest } = valueSchema(setting);
  return {
    description: `${setting.description} Environment: ${setting.name}.`,
    type: setting.default === null ? [type, 'null'] : type,
    ...(setting.default === null ? {} : { default: setting.default }),
    ...rest,
  };
}

function valueSchema(setting: ValueSpec): { type: string } {
  const type = setting.kind === 'choice' ? 'string' : setting.kind === 'list' ? 'array' : setting.kind;
  return {
    type,
    ...(setting.choices ? { enum: setting.choices } : {}),
    ...(setting.min === undefined ? {} : { minimum: setting.min }),
    ...(setting.max === undefined ? {} : { maximum: setting.max }),
    ...(setting.pattern && setting.kind === 'string' ? { pattern: setting.pattern.source } : {}),
    ...(setting.kind === 'list' ? { items: { type: 'string' } } : {}),
  };
}
