// Sample records for tests of the client and the page: the fields that these read, so that a new field changes nothing
// here.

import type { CountersRecord, PostRecord, PredictionRecord } from './generated/schema.ts';
import type { SnapshotMessage, StreamEvent } from './messages.ts';

const FRESH = { updated_ts: 1, age_s: 0, stale: false };

export function postOf(id: number, change: Partial<PostRecord> = {}): PostRecord {
  const kind = { is_reply: false, is_quote: false, is_retweet: false, is_counted: null, is_deleted: false };
  return { tweet_id: String(id), text: 'text', created_ts: id * 1000, ...kind, ...change } as PostRecord;
}

export function countersOf(change: Partial<CountersRecord>): CountersRecord {
  return {
    event_id: 1,
    event_title: 'Posts',
    image: '',
    start_ts: 0,
    end_ts: 1_000_000,
    market_oracle_counter: 1,
    real_counter: 2,
    market_ui_counter: 1,
    settlement_delta: 1,
    display_delta: 1,
    internal_delta: 0,
    feeds: { own: FRESH, oracle: FRESH, ui: FRESH, prices: FRESH, forecast: FRESH },
    ...change,
  } as CountersRecord;
}

export function predictionOf(change: Partial<PredictionRecord>, price = 0.4): PredictionRecord {
  return {
    event_id: 1,
    market_oracle_counter: 1,
    real_counter: 2,
    market_ui_counter: 1,
    markets: [{ title: '10-19', market_price: price }],
    ...change,
  } as PredictionRecord;
}

export function snapshotOf(change: Partial<SnapshotMessage>): StreamEvent & { event: 'snapshot' } {
  const data: SnapshotMessage = {
    timestamp: 1_000_000,
    account: 'account_a',
    tier: 'FREE',
    meta: [countersOf({})],
    prediction: [predictionOf({})],
    posts: [],
    ...change,
  };
  return { id: 's', event: 'snapshot', data };
}
