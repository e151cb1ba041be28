// Pays for one call as an agent would: sends the request, reads the 402, signs, and sends it again.

import { x402Client, x402HTTPClient } from '@x402/core/client';
import { decodePaymentResponseHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { UsageError } from '../../src/runtime/errors.ts';

export interface PayOnceOptions {
  url: string;
  /** null creates a throwaway wallet, which only the demo faucet can fund. */
  privateKey: string | null;
  /** Where to read the payment terms if `url` also works without payment; defaults to `url`. */
  termsUrl?: string | null;
  fetch: typeof fetch;
}

export interface PaidAnswer {
  status: number;
  /** null when nothing was charged. */
  transaction: string | null;
  /** Atomic units of the asset, as a decimal string. */
  amount: string | null;
  payer: string | null;
  network: string | null;
  body: unknown;
}

const UNPAID = { transaction: null, amount: null, payer: null, network: null };

export async function payOnce(options: PayOnceOptions): Promise<PaidAnswer> {
  const asked = await options.fetch(options.termsUrl ?? options.url);
  const body = await readBody(asked);
  if (asked.status !== 402) return { status: asked.status, ...UNPAID, body };

  const account = privateKeyToAccount((options.privateKey ?? generatePrivateKey()) as Hex);
  if (options.privateKey === null) await fillFromFaucet(options.fetch, body, account.address);
  const client = new x402HTTPClient(
    new x402Client()
      .register('eip155:*', new ExactEvmScheme(account))
      .registerV1('base', new ExactEvmSchemeV1(account)),
  );
  const required = client.getPaymentRequiredResponse((name) => asked.headers.get(name), body);
  const payload = await client.createPaymentPayload(required);
  const headers = client.encodePaymentSignatureHeader(payload);
  // A redirect would send the payment to another host.
  const paid = await options.fetch(options.url, { headers, redirect: 'manual' });
  return { status: paid.status, ...readReceipt(paid, account.address), body: await readBody(paid) };
}

function readReceipt(response: Response, payer: string): Omit<PaidAnswer, 'status' | 'body'> {
  const header = response.headers.get('payment-response');
  const receipt = header ? decodePaymentResponseHeader(header) : null;
  if (!receipt?.success) return UNPAID;
  return {
    transaction: receipt.transaction,
    amount: receipt.amount ?? null,
    payer,
    network: receipt.network,
  };
}

async function fillFromFaucet(request: typeof fetch, body: unknown, address: string): Promise<void> {
  const faucetUrl = (body as { demo?: { faucet_url?: unknown } } | null)?.demo?.faucet_url;
  if (typeof faucetUrl !== 'string') {
    throw new UsageError("This service takes real money. Set PAY_PRIVATE_KEY to the wallet's private key.");
  }
  const response = await request(faucetUrl, { method: 'POST', body: JSON.stringify({ address }) });
  if (!response.ok) throw new Error(`the faucet returned ${response.status}`);
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
