// Signs payments with the x402 packages' own client, and builds headers of both protocol versions.

import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { PRICE, type Wallet } from './support.ts';

export interface SignedPayment {
  signature: string;
  authorization: Record<string, string>;
}

type Payee = Pick<DemoPayments, 'network' | 'asset' | 'payTo'>;
type Offer = ReturnType<typeof offerOf>;

function offerOf({ network, asset, payTo }: Payee) {
  return {
    ...{ scheme: 'exact', network, asset, payTo, amount: String(PRICE), maxTimeoutSeconds: 120 },
    extra: { name: 'USDC', version: '2' },
  };
}

export async function signPayment(
  demo: Payee,
  wallet: Wallet,
  change: Partial<Offer> = {},
): Promise<SignedPayment> {
  const client = new ExactEvmScheme(wallet.account);
  const { payload } = await client.createPaymentPayload(2, { ...offerOf(demo), ...change });
  return payload as unknown as SignedPayment;
}

export function wrapV2(demo: Payee, payload: SignedPayment, change: Partial<Offer> = {}): string {
  return encode({ x402Version: 2, accepted: { ...offerOf(demo), ...change }, payload });
}

export function wrapV1(payload: SignedPayment, network = 'base-sepolia'): string {
  return encode({ x402Version: 1, scheme: 'exact', network, payload });
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
