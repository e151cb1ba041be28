// Checks a payment against the route's terms without reading the chain, so that an unacceptable payment
// reserves nothing and causes no facilitator call.

import type { PaymentRequirements } from '@x402/core/types';
import { type Hex, verifyTypedData } from 'viem';
import type { PaidRoute } from '../payment-gate.ts';
import type { FacilitatorRequest } from './facilitator-client.ts';
import type { Authorization, SentPayment } from './parse-payment.ts';
import type { PaymentTerms } from './payment-terms.ts';

/** Remaining validity that facilitators need to settle. */
const MIN_REMAINING_S = 6;
const ADDRESS_FIELDS = new Set(['asset', 'payTo']);

export type MatchedPayment =
  /** `timeFault` is set if the authorisation has expired or is not valid yet. */
  { ok: true; request: FacilitatorRequest; timeFault: string | null } | { ok: false; reason: string };

export function matchPayment(
  terms: PaymentTerms,
  payment: SentPayment,
  route: PaidRoute,
  nowTs: number,
): MatchedPayment {
  const required = terms.v2(route);
  const { authorization } = payment;
  const nowS = Math.floor(nowTs / 1000);
  const reason = findMismatch();
  if (reason) return { ok: false, reason };
  return {
    ok: true,
    request: { payload: rebuild(), requirements: payment.version === 1 ? terms.v1(route) : required },
    timeFault: findTimeFault(),
  };

  /** Only the fields parsed here are checked, reserved and settled; the rest of the header is ignored. */
  function rebuild(): object {
    const { version, scheme, network, signature } = payment;
    const payload = { signature, authorization };
    return version === 1
      ? { x402Version: 1, scheme, network, payload }
      : { x402Version: 2, accepted: required, payload };
  }

  function findMismatch(): string | null {
    const network = payment.version === 1 ? terms.networkV1 : terms.network;
    if (payment.scheme !== 'exact') return `scheme ${payment.scheme} is not offered`;
    if (payment.network !== network) return `network ${payment.network} is not offered`;
    if (payment.version === 2 && !isAcceptedOffer(payment.accepted, required)) {
      return 'the accepted terms differ from those offered for this route';
    }
    if (authorization.to.toLowerCase() !== required.payTo.toLowerCase()) return 'recipient mismatch';
    if (authorization.value !== required.amount) return 'amount mismatch';
    return null;
  }

  function findTimeFault(): string | null {
    if (BigInt(authorization.validBefore) < BigInt(nowS + MIN_REMAINING_S)) return 'authorization expired';
    if (BigInt(authorization.validAfter) > BigInt(nowS)) return 'authorization not yet valid';
    return null;
  }
}

/**
 * The client echoes the chosen offer; it may add to `extra`, and addresses may differ in letter case. Fields
 * are compared one by one, strings and numbers only, because untrusted input may be deeply nested or override
 * toString.
 */
function isAcceptedOffer(
  accepted: unknown,
  { extra: offeredExtra, ...offered }: PaymentRequirements,
): boolean {
  const { extra, ...sent } = fieldsOf(accepted);
  const sentExtra = fieldsOf(extra);
  return (
    Object.keys(sent).length === Object.keys(offered).length &&
    Object.entries(offered).every(([name, value]) => isSame(sent[name], value, ADDRESS_FIELDS.has(name))) &&
    Object.entries(offeredExtra).every(([name, value]) => isSame(sentExtra[name], value, false))
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isSame(sent: unknown, offered: unknown, isAddress: boolean): boolean {
  if (!isAddress || typeof sent !== 'string' || typeof offered !== 'string') return sent === offered;
  return sent.toLowerCase() === offered.toLowerCase();
}

// Checks locally that a payment is signed by its wallet, so a forged payment costs a millisecond but no
// database row and no facilitator call.

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
