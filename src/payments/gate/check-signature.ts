// Checks locally that a payment is signed by its wallet, so a forged payment costs a millisecond but no
// database row and no facilitator call.

import { type Hex, verifyTypedData } from 'viem';
import type { Authorization, SentPayment } from './parse-payment.ts';
import type { PaymentTerms } from './payment-terms.ts';

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/**
 * An ordinary wallet's signature: 65 bytes in hex. Longer ones belong to contract wallets and can only be
 * checked on chain.
 */
const WALLET_SIGNATURE_CHARACTERS = 2 + 2 * 65;

export async function isSignedByPayer(terms: PaymentTerms, payment: SentPayment): Promise<boolean> {
  const { signature, authorization } = payment;
  if (signature.length !== WALLET_SIGNATURE_CHARACTERS) return true;
  try {
    return await verifyTypedData({
      address: authorization.from.toLowerCase() as Hex,
      domain: {
        ...terms.signedName,
        chainId: Number(terms.network.split(':')[1]),
        verifyingContract: terms.asset as Hex,
      },
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: toMessage(authorization),
      signature: signature as Hex,
    });
  } catch {
    return false;
  }
}

function toMessage({ from, to, value, validAfter, validBefore, nonce }: Authorization) {
  return {
    from: from.toLowerCase() as Hex,
    to: to.toLowerCase() as Hex,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: nonce as Hex,
  };
}
