// Dependencies of the exchange's HTTP API and user socket: the exchange, its keys, its faults, and balances.

import type { Hex } from 'viem';
import { MICRO } from '../../src/domain/micro-units.ts';
import { exchangeFor } from '../../src/trading/venue/polymarket/order-typed-data.ts';
import type { Credentials } from './auth/credentials.ts';
import type { Exchange } from './exchange.ts';
import { USD } from './settling/ledger.ts';
import type { MarketDirectory } from './types.ts';

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
  wallets: WalletFunds;
  now(): number;
  /** Every clock a client may use. */
  instants(): readonly number[];
  pause(ms: number): Promise<void>;
}

/** Wallet balances and approvals; a wallet gets the starting balance when first seen. */
export interface WalletFunds {
  meet(wallet: string): void;
  give(wallet: string, usd: number): void;
  setAllowance(wallet: string, micro: number | null): void;
  /** null means unlimited. */
  allowance(wallet: string): number | null;
}

export function createWalletFunds(exchange: Exchange, startingUsd: number): WalletFunds {
  const met = new Set<string>();
  const allowances = new Map<string, number | null>();
  const give = (wallet: string, usd: number) =>
    exchange.ledger.apply([{ owner: wallet.toLowerCase(), asset: USD, deltaMicro: Math.round(usd * MICRO) }]);
  return {
    meet(wallet) {
      if (met.has(wallet.toLowerCase())) return;
      met.add(wallet.toLowerCase());
      if (startingUsd > 0) give(wallet, startingUsd);
    },
    give,
    setAllowance: (wallet, micro) => void allowances.set(wallet.toLowerCase(), micro),
    allowance: (wallet) => allowances.get(wallet.toLowerCase()) ?? null,
  };
}

export const SPENDERS: readonly Hex[] = [
  exchangeFor(false),
  exchangeFor(true),
  '0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296',
];
