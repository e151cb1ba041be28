// Builds payments by hand, valid and forged, in both protocol versions.

import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { PRICE, type Wallet } from './support.ts';

export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export interface SignedPayment {
  signature: Hex;
  authorization: Record<string, string>;
}

export interface SignOptions {
  to?: string;
  value?: bigint;
  validAfter?: number;
  validBefore?: number;
  chainId?: number;
  asset?: string;
  nonce?: string;
}

export async function signPayment(
  demo: DemoPayments,
  wallet: Wallet,
  options: SignOptions = {},
): Promise<SignedPayment> {
  const nowS = Math.floor(Date.now() / 1000);
  const message = {
    from: wallet.address,
    to: (options.to ?? demo.payTo) as Hex,
    value: options.value ?? PRICE,
    validAfter: BigInt(options.validAfter ?? 0),
    validBefore: BigInt(options.validBefore ?? nowS + 100),
    nonce: (options.nonce ?? `0x${randomBytes(32).toString('hex')}`) as Hex,
  };
  const signature = await wallet.account.signTypedData({
    domain: {
      name: 'USDC',
      version: '2',
      chainId: options.chainId ?? 84532,
      verifyingContract: (options.asset ?? demo.asset) as Hex,
    },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const authorization = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, String(value)]),
  );
  return { signature, authorization };
}

export function offerOf(demo: DemoPayments): Record<string, unknown> {
  return {
    scheme: 'exact',
    network: demo.network,
    amount: String(PRICE),
    asset: demo.asset,
    payTo: demo.payTo,
    maxTimeoutSeconds: 120,
    extra: { name: 'USDC', version: '2' },
  };
}

export function wrapV2(demo: DemoPayments, payment: SignedPayment, accepted: object = {}): string {
  return encode({ x402Version: 2, accepted: { ...offerOf(demo), ...accepted }, payload: payment });
}

export function wrapV1(payment: SignedPayment, network = 'base-sepolia'): string {
  return encode({ x402Version: 1, scheme: 'exact', network, payload: payment });
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Calls the facilitator directly, as the payment gate does. */
export function askFacilitator(url: string, offer: object, payload: SignedPayment): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: offer, payload },
      paymentRequirements: offer,
    }),
  });
}
