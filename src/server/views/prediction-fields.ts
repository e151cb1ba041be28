// Defines which tiers and public views show each prediction field.

import type { View } from '../../access/authorise.ts';
import type { PublicView } from '../../domain/account.ts';

/** The caller's view, and how much of the account is public. */
export interface Viewer {
  view: View;
  publicView: PublicView;
}

/** Which callers see a field. */
type Audience = 'everyone' | 'pro, wide public' | 'pro';

const RECORD_FIELDS = {
  event_id: 'everyone',
  seconds_remaining: 'pro, wide public',
  market_oracle_counter: 'everyone',
  real_counter: 'everyone',
  real_counter_low: 'everyone',
  real_counter_high: 'everyone',
  market_ui_counter: 'everyone',
  settlement_delta: 'pro, wide public',
  display_delta: 'pro, wide public',
  internal_delta: 'pro, wide public',
  feeds: 'pro, wide public',
  sleep_probability: 'pro',
  velocity_counted_1h: 'pro',
  velocity_all_1h: 'pro',
  forecast: 'pro',
  settlement_risk: 'pro',
  venue: 'everyone',
  counting_rule: 'everyone',
  settlement_source: 'everyone',
  markets: 'everyone',
} as const satisfies Record<string, Audience>;

const MARKET_FIELDS = {
  title: 'everyone',
  market_price: 'everyone',
  model_prob: 'pro',
  edge: 'pro',
  signal: 'pro',
  belief_prob: 'pro',
} as const satisfies Record<string, Audience>;

export type RecordField = keyof typeof RECORD_FIELDS;
export type MarketField = keyof typeof MARKET_FIELDS;

export function keepRecordFields(record: Partial<Record<RecordField, unknown>>, viewer: Viewer) {
  return keep(record, RECORD_FIELDS, viewer);
}

export function keepMarketFields(market: Record<MarketField, unknown>, viewer: Viewer) {
  return keep(market, MARKET_FIELDS, viewer);
}

function keep<F extends string>(
  whole: Partial<Record<F, unknown>>,
  table: Record<F, Audience>,
  viewer: Viewer,
): Partial<Record<F, unknown>> {
  const kept: Partial<Record<F, unknown>> = {};
  for (const field of Object.keys(table) as F[]) {
    const isThere = whole[field] !== undefined;
    if (isThere && isShown(table[field], viewer)) kept[field] = whole[field];
  }
  return kept;
}

function isShown(audience: Audience, { view, publicView }: Viewer): boolean {
  if (audience === 'everyone' || view === 'pro') return true;
  return audience === 'pro, wide public' && publicView === 'wide';
}
