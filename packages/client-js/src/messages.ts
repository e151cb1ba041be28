// Live stream messages, by event name.

import type { CountersRecord, PostRecord, PredictionRecord } from './generated/schema.ts';

export interface SnapshotMessage {
  timestamp: number;
  account: string;
  tier: 'FREE' | 'PRO';
  meta: CountersRecord[];
  prediction: PredictionRecord[];
  posts: PostRecord[];
  /** Recently settled events; absent before version 1.1. */
  settlements?: SettlementMessage[];
}

export interface PriceMessage {
  event_id: number;
  title: string;
  market_price: number | null;
}

export interface FeedMessage {
  feed: string;
  updated_ts: number | null;
  age_s: number | null;
  stale: boolean;
  /** Older posts are not all read yet. */
  incomplete?: boolean;
  problem: string | null;
}

export interface SettlementMessage {
  event_id: number;
  final_count: number;
  winning_bucket: string | null;
  revision: number;
}

/** Forecasts are sent to PRO callers only. */
export interface StreamMessages {
  /** The whole state, sent at the start and whenever missed messages are no longer available. */
  snapshot: SnapshotMessage;
  counters: CountersRecord;
  post: PostRecord;
  forecast: PredictionRecord;
  price: PriceMessage;
  feed: FeedMessage;
  settlement: SettlementMessage;
}

export type StreamEvent = {
  [Name in keyof StreamMessages]: { id: string; event: Name; data: StreamMessages[Name] };
}[keyof StreamMessages];
