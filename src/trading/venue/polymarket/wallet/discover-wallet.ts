// Identifies the wallet a key signs for, and how: from the addresses that the factories derive, the code at them,
// and the contract's own answer to a signature. Nothing is guessed.

import type { Hex, LocalAccount } from 'viem';
import { deriveWallets } from '../signing/derive-wallets.ts';
import { hashOrder, type UnsignedOrder } from '../signing/order-typed-data.ts';
import { SIGNATURE_TYPES, type Signer, signOrder, type WalletKind } from '../signing/sign-order.ts';
import type { Chain } from './chain.ts';
import type { Relayer } from './relayer.ts';

export interface DiscoveryParts {
  account: LocalAccount;
  /** The wallet as the operator names it; a session key's wallet cannot be derived. */
  wallet: Hex | null;
  chain: Chain;
  relayer: Relayer;
}

/** How the key signs, or why that is not known. */
export type Discovery = { signer: Signer; problem: null } | { signer: null; problem: string };

export async function discoverWallet(parts: DiscoveryParts): Promise<Discovery> {
  const own = listOwn(parts.account.address);
  if (parts.wallet === null) return discoverOwn(parts, own);
  const known = own.find(({ address }) => isSame(address, parts.wallet!));
  if (isSame(parts.wallet, parts.account.address)) return found(parts, 'key', parts.wallet);
  if (!(await parts.chain.hasCode(parts.wallet)))
    return fail(`no wallet is deployed at ${parts.wallet}; run npx tallycast trade setup`);
  return identify(parts, parts.wallet, known?.kind ?? null);
}

interface OwnWallet {
  kind: Exclude<WalletKind, 'key'>;
  address: Hex;
}

function listOwn(key: Hex): OwnWallet[] {
  const { depositBeacon, depositUups, safe, proxy } = deriveWallets(key);
  return [
    { kind: 'deposit', address: depositBeacon },
    { kind: 'deposit', address: depositUups },
    { kind: 'safe', address: safe },
    { kind: 'proxy', address: proxy },
  ];
}

async function discoverOwn(parts: DiscoveryParts, own: readonly OwnWallet[]): Promise<Discovery> {
  const deployed: OwnWallet[] = [];
  for (const one of own) if (await isDeployed(parts, one)) deployed.push(one);
  if (deployed.length > 1)
    return fail(
      `this key has several wallets: ${deployed.map(({ kind, address }) => `${address} (${kind})`).join(', ')}. Pass --wallet ADDRESS.`,
    );
  const [only] = deployed;
  return only ? identify(parts, only.address, only.kind) : found(parts, 'key', parts.account.address);
}

/** The relayer knows the wallets that it deployed; the code at the address decides. */
async function isDeployed(
  { chain, relayer }: DiscoveryParts,
  { kind, address }: OwnWallet,
): Promise<boolean> {
  if (!(await chain.hasCode(address))) return false;
  if (kind === 'proxy') return true;
  if (await relayer.isDeployed(address, kind === 'deposit' ? 'WALLET' : 'SAFE')) return true;
  throw new Error(`the chain has a ${kind} wallet at ${address}, which the relayer does not know`);
}

/** The kind is null for a wallet that is not derived from the key: then the key must be a session key. */
async function identify(
  parts: DiscoveryParts,
  wallet: Hex,
  kind: Exclude<WalletKind, 'key'> | null,
): Promise<Discovery> {
  if (kind === 'safe' || kind === 'proxy') return found(parts, kind, wallet);
  const isSession = kind === null;
  for (const form of ['wrapped', 'plain'] as const) {
    const signer: Signer = { account: parts.account, wallet, kind: 'deposit', form, isSession };
    if (await isAccepted(parts.chain, signer)) return { signer, problem: null };
  }
  return fail(
    isSession
      ? `the wallet ${wallet} accepts no signature of ${parts.account.address}: the session key is not authorised, or has expired. Run npx tallycast trade setup.`
      : `the wallet ${wallet} accepts no signature of its owner ${parts.account.address}`,
  );
}

function found({ account }: DiscoveryParts, kind: WalletKind, wallet: Hex): Discovery {
  return { signer: { account, wallet, kind, form: 'plain', isSession: false }, problem: null };
}

function fail(problem: string): Discovery {
  return { signer: null, problem };
}

/** Offers a millionth of a dollar for a billion shares, so the order is harmless even if it got out. */
async function isAccepted(chain: Chain, signer: Signer): Promise<boolean> {
  const order: UnsignedOrder = {
    salt: '1',
    maker: signer.wallet,
    signer: signer.wallet,
    tokenId: '1',
    makerAmount: '1',
    takerAmount: '1000000000000000',
    side: 'BUY',
    signatureType: SIGNATURE_TYPES[signer.kind],
    timestamp: '1',
    metadata: `0x${'0'.repeat(64)}`,
    builder: `0x${'0'.repeat(64)}`,
  };
  const market = { version: 'v1', isNegRisk: false } as const;
  const signature = await signOrder(signer, order, market);
  return chain.isValidSignature(signer.wallet, hashOrder(order, market), signature);
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
