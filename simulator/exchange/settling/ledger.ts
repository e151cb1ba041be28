// Balances on the simulated chain: collateral and shares, in whole millionths. A transfer is an atomic list
// of movements; reservations lock what open orders and unsettled trades need.

export const USD = 'usd';

/** The counterparty of every user: always buys, without limit. */
export const CROWD = 'crowd';
export const FEES = 'fees';
/** Collateral that backs existing shares. */
export const VAULT = 'vault';

export interface Movement {
  owner: string;
  /** USD, or a token id. */
  asset: string;
  deltaMicro: number;
}

export interface Ledger {
  balance(owner: string, asset: string): number;
  apply(movements: readonly Movement[]): void;
  /** Reserves an amount under a name, replacing the earlier amount; 0 releases it. */
  reserve(owner: string, asset: string, name: string, micro: number): void;
  available(owner: string, asset: string): number;
  /** Assets with a balance. */
  assetsOf(owner: string): string[];
  owners(): string[];
}

export function createLedger(): Ledger {
  const balances = new Map<string, Map<string, number>>();
  const reservations = new Map<string, Map<string, number>>();
  const of = (owner: string) => {
    const known = balances.get(owner) ?? new Map<string, number>();
    balances.set(owner, known);
    return known;
  };
  const balance = (owner: string, asset: string) => balances.get(owner)?.get(asset) ?? 0;

  return {
    balance,
    apply(movements) {
      for (const { owner, asset, deltaMicro } of movements) {
        const after = balance(owner, asset) + deltaMicro;
        if (after === 0) of(owner).delete(asset);
        else of(owner).set(asset, after);
      }
    },
    reserve(owner, asset, name, micro) {
      const key = `${owner} ${asset}`;
      const held = reservations.get(key) ?? new Map<string, number>();
      if (micro > 0) held.set(name, micro);
      else held.delete(name);
      if (held.size > 0) reservations.set(key, held);
      else reservations.delete(key);
    },
    available(owner, asset) {
      let micro = balance(owner, asset);
      for (const held of reservations.get(`${owner} ${asset}`)?.values() ?? []) micro -= held;
      return micro;
    },
    assetsOf: (owner) => [...(balances.get(owner)?.keys() ?? [])],
    owners: () => [...balances.keys()],
  };
}
