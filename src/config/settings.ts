// Every setting of the service, once.

import type { Setting } from './setting.ts';
import { accountSettings } from './settings/accounts.ts';
import { PAYMENTS_SETTINGS } from './settings/payments.ts';
import { SERVICE_SETTINGS } from './settings/service.ts';
import { OUTSIDE_SETTINGS, WORLD_SETTINGS } from './settings/sources.ts';

export const SETTINGS: readonly Setting[] = [
  ...SERVICE_SETTINGS,
  ...WORLD_SETTINGS,
  ...accountSettings('A', 'account_a', 'x'),
  ...accountSettings('B', 'account_b', 'mastodon'),
  ...OUTSIDE_SETTINGS,
  ...PAYMENTS_SETTINGS,
];
