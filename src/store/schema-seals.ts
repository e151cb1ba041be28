// Forecast log tables.

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

export interface SealAnchorsTable {
  hour_ts: number;
  anchor: string;
  chain: string;
  anchored_ts: number;
}
