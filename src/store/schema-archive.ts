// Table types for prices and the forecast log.

export interface QuotesTable extends QuoteColumns {
  /** The token's number in quotes_latest. */
  token_no: number;
}

export interface QuotesLatestTable extends QuoteColumns {
  token_id: string;
  token_no: number;
}

export interface QuoteColumns {
  observed_ts: number;
  bid: number | null;
  ask: number | null;
  bid_shares: number | null;
  ask_shares: number | null;
  last_trade_price: number | null;
}

export interface VenuePastTable {
  event_id: number;
  read_ts: number;
  until_ts: number;
  is_whole: number;
  /** Packed columns. */
  content: Uint8Array;
}

export interface LogEntriesTable {
  seq: number;
  hour_ts: number;
  entry: string;
}

export interface SealsTable {
  hour_ts: number;
  first_seq: number;
  size: number;
  root: string;
  previous: string;
  chain: string;
  /** One entry per line, deflated. */
  entries: Uint8Array;
}

export interface LogHeadTable {
  id: number;
  next_seq: number;
  open_hour_ts: number;
  chain: string;
  running: string;
}
