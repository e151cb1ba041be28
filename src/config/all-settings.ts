// Every setting of the service, and the types that follow from the rows.

import { accountSettings } from './account-fields.ts';
import type { Setting, SettingRow } from './setting-declaration.ts';
import { ALERT_SETTINGS, PAYMENT_SETTINGS, SERVICE_SETTINGS } from './settings/service.ts';
import { OUTSIDE_SETTINGS, SIMULATOR_SETTINGS } from './settings/sources.ts';

const ROWS = {
  ...SERVICE_SETTINGS,
  ...SIMULATOR_SETTINGS,
  ...accountSettings('A', 'account_a', 'x'),
  ...accountSettings('B', 'account_b', 'mastodon'),
  ...OUTSIDE_SETTINGS,
  ...PAYMENT_SETTINGS,
  ...ALERT_SETTINGS,
};

export const SETTINGS: readonly Setting[] = Object.entries<SettingRow>(ROWS).map(([name, row]) => ({
  name,
  ...row,
  default: row.default ?? (row.kind === 'list' ? [] : row.kind === 'boolean' ? false : null),
}));

type Rows = typeof ROWS;
export type SettingName = keyof Rows;

type ValueOfRow<R> = R extends { kind: 'boolean' }
  ? boolean
  : R extends { kind: 'list' }
    ? readonly string[]
    : OneValue<R> | (R extends { default: string | number } ? never : null);

type OneValue<R> = R extends { kind: 'integer' | 'number' }
  ? number
  : R extends { kind: 'choice'; choices: readonly (infer C)[] }
    ? C
    : string;

export type SettingValueOf<N extends SettingName> = ValueOfRow<Rows[N]>;

export type GetSetting = <N extends SettingName>(name: N) => SettingValueOf<N>;

/** DATA_DIR -> dataDir */
type FileKey<N extends string> = N extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<FileKey<Rest>>}`
  : Lowercase<N>;

/** Where the setting is in `Config`, as `key` or `group.key`. */
type PlaceOf<N extends SettingName> = Rows[N] extends { at: infer Place }
  ? Place
  : Rows[N] extends { isSecret: true }
    ? `secrets.${FileKey<N>}`
    : FileKey<N>;

type GroupName = { [N in SettingName]: PlaceOf<N> extends `${infer G}.${string}` ? G : never }[SettingName];

/** The values of all rows at their places. */
export type PlacedSettings = {
  [N in SettingName as PlaceOf<N> extends `${string}.${string}`
    ? never
    : PlaceOf<N> & string]: SettingValueOf<N>;
} & {
  [G in GroupName]: {
    [N in SettingName as PlaceOf<N> extends `${G}.${infer Key}` ? Key : never]: SettingValueOf<N>;
  };
};
