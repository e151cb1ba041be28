// What the exchange and the chain know about wallets: money, approvals, accepted terms, and the exchange's cache of
// them. A new wallet has nothing; every state must be reached.

import { getAddress, type Hex, keccak256, slice } from 'viem';
import { MICRO } from '../../../src/domain/units.ts';
import { APPROVALS, CONTRACTS } from '../../../src/trading/venue/polymarket/signing/contracts.ts';
import { deriveWallets } from '../../../src/trading/venue/polymarket/signing/derive-wallets.ts';
import type { WalletKind } from '../../../src/trading/venue/polymarket/signing/sign-order.ts';
import type { Exchange } from '../exchange.ts';
import { type Movement, USD } from '../settling/ledger.ts';
import { type ContractWallet, type ContractWallets, createContractWallets } from './contract-wallets.ts';

/** Which token contract holds an asset. */
export type AssetClass = 'COLLATERAL' | 'CONDITIONAL' | 'CONDITIONAL-V2';

const TOKENS: Record<AssetClass, Hex> = {
  COLLATERAL: CONTRACTS.collateral,
  CONDITIONAL: CONTRACTS.conditionalTokens,
  'CONDITIONAL-V2': CONTRACTS.positionManager,
};

/** Keys that traded before this day may still trade without a contract wallet. */
const DEPOSIT_WALLETS_TS = Date.UTC(2026, 4, 4);
const SESSION_LIFE_S = 4_315 * 3_600;

export interface ReadyAccount {
  /** The owner's address; for a deposit wallet with a session key, any owner will do. */
  key?: Hex;
  kind?: WalletKind;
  usd?: number;
  /** Session key to authorise. */
  session?: Hex;
  takes?: ContractWallet['takes'];
}

export interface ExchangeWallets {
  readonly contracts: ContractWallets;
  /** The exchange has seen this key. */
  meet(key: string): void;
  mayTradeAlone(key: string): boolean;
  /** Money or shares that arrive from outside of the exchange, which sees them after a refresh. */
  change(movements: readonly Movement[]): void;
  give(wallet: string, usd: number): void;
  approve(owner: string, token: Hex, spender: Hex, isApproved: boolean): void;
  isApproved(owner: string, token: Hex, spender: Hex): boolean;
  acceptTerms(wallet: string): void;
  hasAcceptedTerms(wallet: string): boolean;
  /** Reads balances and approvals of a class from the chain. */
  refresh(wallet: string, asset: AssetClass): void;
  /** The exchange's view. */
  cached: {
    balance(wallet: string, asset: string): number;
    available(wallet: string, asset: string): number;
    isApproved(wallet: string, asset: AssetClass, spender: Hex): boolean;
  };
  /** Limits what a wallet approved, for tests; null means unlimited. */
  setAllowance(wallet: string, micro: number | null): void;
  allowance(wallet: string): number | null;
  /** Gas in wei. */
  gas: Map<string, bigint>;
  /** An account with every step done; returns its wallet. */
  setUp(account: ReadyAccount, nowTs: number): Hex;
}

export function createExchangeWallets(
  { ledger }: Pick<Exchange, 'ledger'>,
  startingUsd: number,
  now: () => number,
): ExchangeWallets {
  const contracts = createContractWallets();
  const metTs = new Map<string, number>();
  const approvals = new Set<string>();
  const seenApprovals = new Map<string, Set<string>>();
  const unseen = new Map<string, Map<string, number>>();
  const terms = new Set<string>();
  const allowances = new Map<string, number | null>();
  const gas = new Map<string, bigint>();
  const low = (text: string) => text.toLowerCase();
  const approvalKey = (owner: string, token: string, spender: string) => low(`${owner} ${token} ${spender}`);
  const unseenOf = (wallet: string, asset: string) => unseen.get(low(wallet))?.get(asset) ?? 0;

  function change(movements: readonly Movement[]): void {
    ledger.apply(movements);
    for (const { owner, asset, deltaMicro } of movements) {
      const ofOwner = unseen.get(owner) ?? new Map<string, number>();
      ofOwner.set(asset, (ofOwner.get(asset) ?? 0) + deltaMicro);
      unseen.set(owner, ofOwner);
    }
  }

  const give = (wallet: string, usd: number) =>
    change([{ owner: low(wallet), asset: USD, deltaMicro: Math.round(usd * MICRO) }]);

  function approve(owner: string, token: Hex, spender: Hex, isApproved: boolean): void {
    if (isApproved) approvals.add(approvalKey(owner, token, spender));
    else approvals.delete(approvalKey(owner, token, spender));
  }

  function refresh(wallet: string, asset: AssetClass): void {
    for (const name of unseen.get(low(wallet))?.keys() ?? [])
      if ((name === USD) === (asset === 'COLLATERAL')) unseen.get(low(wallet))!.delete(name);
    const own = [...approvals].filter((key) => key.startsWith(low(`${wallet} ${TOKENS[asset]} `)));
    seenApprovals.set(low(`${wallet} ${asset}`), new Set(own));
  }

  function deploy({ key, kind = 'key', session, takes = null }: ReadyAccount): Hex {
    const owner = key ?? ownerElsewhere(session!);
    if (kind === 'key') return owner;
    const derived = deriveWallets(owner);
    const address = kind === 'deposit' ? derived.depositBeacon : derived[kind];
    const wallet = contracts.deploy({ address, kind, owner, takes });
    if (session)
      wallet.sessions.set(low(session), {
        scopes: ['CLOB'],
        validUntilS: Math.floor(now() / 1000) + SESSION_LIFE_S,
      });
    return address;
  }

  return {
    contracts,
    meet: (key) => void (metTs.has(low(key)) || metTs.set(low(key), now())),
    mayTradeAlone: (key) => (metTs.get(low(key)) ?? now()) < DEPOSIT_WALLETS_TS,
    change,
    give,
    approve,
    isApproved: (owner, token, spender) => approvals.has(approvalKey(owner, token, spender)),
    acceptTerms: (wallet) => void terms.add(low(wallet)),
    hasAcceptedTerms: (wallet) => terms.has(low(wallet)),
    refresh,
    cached: {
      balance: (wallet, asset) => ledger.balance(low(wallet), asset) - unseenOf(wallet, asset),
      available: (wallet, asset) =>
        ledger.available(low(wallet), asset) - Math.max(0, unseenOf(wallet, asset)),
      isApproved: (wallet, asset, spender) =>
        seenApprovals.get(low(`${wallet} ${asset}`))?.has(approvalKey(wallet, TOKENS[asset], spender)) ??
        false,
    },
    setAllowance: (wallet, micro) => void allowances.set(low(wallet), micro),
    allowance: (wallet) => allowances.get(low(wallet)) ?? null,
    gas,
    setUp(account, nowTs) {
      const kind = account.kind ?? (account.session ? 'deposit' : 'key');
      const wallet = deploy({ ...account, kind });
      const key = account.key ?? wallet;
      metTs.set(low(key), Math.min(nowTs, DEPOSIT_WALLETS_TS - 1));
      gas.set(low(key), 10n ** 18n);
      terms.add(low(wallet));
      for (const { token, spender } of APPROVALS) approve(wallet, token, spender, true);
      give(wallet, account.usd ?? startingUsd);
      for (const asset of Object.keys(TOKENS) as AssetClass[]) refresh(wallet, asset);
      return wallet;
    },
  };
}

/** An owner on another machine; its key is not known here. */
function ownerElsewhere(session: Hex): Hex {
  return getAddress(slice(keccak256(session), 12));
}
