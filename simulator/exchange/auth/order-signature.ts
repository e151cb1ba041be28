// Verifies order signatures: by the key itself, or by the contract of a deposit wallet.

import { type Hex, recoverTypedDataAddress } from 'viem';
import type { MarketForm } from '../../../src/trading/venue/polymarket/signing/contracts.ts';
import { deriveWallets } from '../../../src/trading/venue/polymarket/signing/derive-wallets.ts';
import {
  hashOrder,
  orderTypedData,
  type UnsignedOrder,
} from '../../../src/trading/venue/polymarket/signing/order-typed-data.ts';
import { SIGNATURE_TYPES } from '../../../src/trading/venue/polymarket/signing/sign-order.ts';
import type { ExchangeWallets } from '../wallets/exchange-wallets.ts';

export interface SignedOrder extends UnsignedOrder {
  signature: Hex;
}

export const REFUSALS = {
  maker: 'maker address not allowed, please use the deposit wallet flow',
  binding: 'the order signer address has to be the address of the API KEY',
  signature: 'invalid signature',
};

/** Why the key may not place this order; null if it may. */
export async function refuseSigner(
  key: Hex,
  order: SignedOrder,
  market: MarketForm,
  wallets: ExchangeWallets,
  nowTs: number,
): Promise<string | null> {
  if (order.signatureType === SIGNATURE_TYPES.deposit)
    return refuseDeposit(key, order, market, wallets, nowTs);
  if (!isSame(order.signer, key)) return REFUSALS.binding;
  if (!isSame(order.maker, walletOf(key, order.signatureType))) return REFUSALS.signature;
  const isKey = order.signatureType === SIGNATURE_TYPES.key;
  if (isKey ? !wallets.mayTradeAlone(key) : !wallets.contracts.find(order.maker)) return REFUSALS.maker;
  try {
    const { signature } = order;
    const recovered = await recoverTypedDataAddress({ ...orderTypedData(order, market), signature });
    return isSame(recovered, key) ? null : REFUSALS.signature;
  } catch {
    return REFUSALS.signature;
  }
}

/** The wallet signs for itself; the API key must be its owner's or a session key's. */
async function refuseDeposit(
  key: Hex,
  order: SignedOrder,
  market: MarketForm,
  { contracts }: ExchangeWallets,
  nowTs: number,
): Promise<string | null> {
  const wallet = contracts.find(order.maker);
  const isTrusted = wallet && (isSame(wallet.owner, key) || wallet.sessions.has(key.toLowerCase()));
  if (wallet?.kind !== 'deposit' || !isTrusted || !isSame(order.signer, order.maker)) return REFUSALS.binding;
  const signer = await contracts.findSigner(order.maker, hashOrder(order, market), order.signature, nowTs);
  return signer && isSame(signer, key) ? null : REFUSALS.signature;
}

/** The wallet of a signature type that is derived from the key. */
function walletOf(key: Hex, signatureType: number): Hex {
  if (signatureType === SIGNATURE_TYPES.key) return key;
  const { proxy, safe } = deriveWallets(key);
  return signatureType === SIGNATURE_TYPES.proxy ? proxy : safe;
}

/** The wallet that an API key trades for under a signature type. */
export function accountOf(key: Hex, signatureType: number, { contracts }: ExchangeWallets): Hex {
  if (signatureType !== SIGNATURE_TYPES.deposit) return walletOf(key, signatureType);
  const { depositBeacon, depositUups } = deriveWallets(key);
  const owned = [depositBeacon, depositUups].find((address) => contracts.find(address)?.owner === key);
  return owned ?? contracts.findOfSession(key)?.address ?? depositBeacon;
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
