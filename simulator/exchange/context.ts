// Dependencies of the exchange's HTTP API and user socket: the exchange, its keys, its faults, and balances.

import type { Credentials } from './auth/credentials.ts';
import type { Exchange } from './exchange.ts';
import type { MarketDirectory } from './types.ts';
import type { ExchangeWallets } from './wallets/exchange-wallets.ts';

/** The faults that affect the exchange. */
export interface ExchangeFaults {
  hits(name: string, ts: number): boolean;
  isOn(name: string, ts: number): boolean;
  valueAt(name: string, ts: number): number | null;
}

export interface ExchangeContext {
  exchange: Exchange;
  credentials: Credentials;
  markets: MarketDirectory;
  faults: ExchangeFaults;
  wallets: ExchangeWallets;
  now(): number;
  /** Every clock a client may use. */
  instants(): readonly number[];
  pause(ms: number): Promise<void>;
}
