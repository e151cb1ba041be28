// The one table that says which field of a prediction belongs to which tier and account.

import type { View } from '../access/authorise.ts';

/** Account A, the first of the configuration, shows more in public than the others. */
export type AccountKind = 'a' | 'b';

/** Views in which a field appears. */
type Audience = 'everyone' | 'pro, public of a' | 'pro';

const RECORD_FIELDS = {
  event_id: 'everyone',
  seconds_remaining: 'pro, public of a',
  market_oracle_counter: 'everyone',
  real_counter: 'everyone',
  market_ui_counter: 'everyone',
  settlement_delta: 'pro, public of a',
  display_delta: 'pro, public of a',
  internal_delta: 'pro, public of a',
  feeds: 'pro, public of a',
  sleep_probability: 'pro',
  velocity_counted_1h: 'pro',
  velocity_all_1h: 'pro',
  forecast: 'pro',
  markets: 'everyone',
} as const satisfies Record<string, Audience>;

const MARKET_FIELDS = {
  title: 'everyone',
  market_price: 'everyone',
  model_prob: 'pro',
  edge: 'pro',
  signal: 'pro',
} as const satisfies Record<string, Audience>;

export type RecordField = keyof typeof RECORD_FIELDS;
export type MarketField = keyof typeof MARKET_FIELDS;

export function keepRecordFields(record: Record<RecordField, unknown>, view: View, kind: AccountKind) {
  return keep(record, RECORD_FIELDS, view, kind);
}

export function keepMarketFields(market: Record<MarketField, unknown>, view: View, kind: AccountKind) {
  return keep(market, MARKET_FIELDS, view, kind);
}

function keep<F extends string>(
  whole: Record<F, unknown>,
  table: Record<F, Audience>,
  view: View,
  kind: AccountKind,
): Partial<Record<F, unknown>> {
  const kept: Partial<Record<F, unknown>> = {};
  for (const field of Object.keys(table) as F[]) {
    if (isShown(table[field], view, kind)) kept[field] = whole[field];
  }
  return kept;
}

function isShown(audience: Audience, view: View, kind: AccountKind): boolean {
  if (audience === 'everyone' || view === 'pro') return true;
  return audience === 'pro, public of a' && kind === 'a';
}
