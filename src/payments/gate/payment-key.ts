// Derives the payment id from the authorisation: the same four values have the same id in every header
// format.

import { createHash } from 'node:crypto';

export interface PaymentKey {
  network: string;
  asset: string;
  payer: string;
  nonce: string;
}

export function toPaymentKey(network: string, asset: string, payer: string, nonce: string): PaymentKey {
  return {
    network,
    asset: asset.toLowerCase(),
    payer: payer.toLowerCase(),
    nonce: nonce.toLowerCase(),
  };
}

export function toPaymentId(key: PaymentKey): string {
  const digest = createHash('sha256')
    .update(`${key.network} ${key.asset} ${key.payer} ${key.nonce}`)
    .digest('hex');
  return `pay_${digest.slice(0, 32)}`;
}
