// Every setting of the service.

import type { Setting } from './setting-declaration.ts';
import { accountSettings } from './settings/accounts.ts';
import { REACH_SETTINGS } from './settings/alerts.ts';
import { PAYMENTS_SETTINGS } from './settings/payments.ts';
import { SERVICE_SETTINGS } from './settings/service.ts';
import { OUTSIDE_SETTINGS, SIMULATOR_SETTINGS } from './settings/sources.ts';

const ROWS = [
  ...SERVICE_SETTINGS,
  ...SIMULATOR_SETTINGS,
  ...accountSettings('A', 'account_a', 'x'),
  ...accountSettings('B', 'account_b', 'mastodon'),
  ...OUTSIDE_SETTINGS,
  ...PAYMENTS_SETTINGS,
  ...REACH_SETTINGS,
] as const;

export const SETTINGS: readonly Setting[] = ROWS;

type Row = (typeof ROWS)[number];
export type SettingName = Row['name'];

/** Value type derived from the row, so that no type is written by hand. */
type ValueOfRow<R> =
  | (R extends { kind: 'integer' | 'number' }
      ? number
      : R extends { kind: 'boolean' }
        ? boolean
        : R extends { kind: 'choice'; choices: readonly (infer C)[] }
          ? C
          : R extends { kind: 'list' }
            ? readonly string[]
            : string)
  | (R extends { default: null } ? null : never);

/** A row may cover several names that one function generates. */
type ValueIn<R, N> = R extends { name: infer Names } ? (N extends Names ? ValueOfRow<R> : never) : never;

export type SettingValueOf<N extends SettingName> = ValueIn<Row, N>;

export type GetSetting = <N extends SettingName>(name: N) => SettingValueOf<N>;
