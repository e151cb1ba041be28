// Offline per-call payments: the x402 packages' own facilitator on the stand-in for a chain, and a faucet, served on
// loopback. The money is worthless.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { getDefaultAsset } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { getAddress } from 'viem';
import { errorMessage } from '../../src/runtime/errors.ts';
import { type Ledger, openLedger, type Transfer } from './ledger.ts';

/** Base Sepolia, whose test dollar off-the-shelf clients know. */
const NETWORK = 'eip155:84532';
const PAYEE = getAddress(`0x${createHash('sha256').update('payee of the demo').digest('hex').slice(0, 40)}`);
/** One dollar per request, in atomic units. */
const DRIP_AMOUNT = 1_000_000n;

export interface DemoPayments {
  network: typeof NETWORK;
  asset: string;
  payTo: string;
  facilitatorUrl: string;
  faucetUrl: string;
  balanceOf(address: string): bigint;
  findTransfer(hash: string): Transfer | undefined;
  close(): Promise<void>;
}

export interface DemoPaymentsOptions {
  /** Where the balances are saved; without it, a restart begins with none. */
  dataDir?: string;
  /** Recipient of payments; defaults to the demo's own address. */
  payTo?: string;
}

export async function startDemoPayments({ dataDir, payTo }: DemoPaymentsOptions = {}): Promise<DemoPayments> {
  const { asset, name, version } = getDefaultAsset(NETWORK);
  const file = dataDir === undefined ? null : join(dataDir, 'demo-chain.jsonl');
  const ledger = openLedger({ asset, name, version }, file);
  const answer = createAnswers(ledger);
  const server = createServer((request, response) => {
    void answer(request)
      .then((body) => ({ status: body === null ? 404 : 200, body: body ?? { error: 'not found' } }))
      .catch((error) => ({ status: 400, body: { error: errorMessage(error) } }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const facilitatorUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ network: NETWORK, asset, payTo: payTo ?? PAYEE, facilitatorUrl },
    faucetUrl: `${facilitatorUrl}/faucet`,
    balanceOf: ledger.balanceOf,
    findTransfer: (hash) => ledger.transfers().find((transfer) => transfer.hash === hash),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** null if there is no such path. */
function createAnswers(ledger: Ledger): (request: IncomingMessage) => Promise<object | null> {
  const facilitator = new x402Facilitator()
    .register(NETWORK, new ExactEvmScheme(ledger.signer))
    .registerV1('base-sepolia' as typeof NETWORK, new ExactEvmSchemeV1(ledger.signer));
  return async (request) => {
    if (request.method === 'GET' && request.url === '/supported') return facilitator.getSupported();
    if (request.method !== 'POST') return null;
    const body = (await json(request)) as Record<string, unknown>;
    if (request.url === '/faucet') return drip(ledger, body.address);
    const payload = body.paymentPayload as PaymentPayload;
    const requirements = body.paymentRequirements as PaymentRequirements;
    if (request.url === '/verify') return facilitator.verify(payload, requirements);
    return request.url === '/settle' ? facilitator.settle(payload, requirements) : null;
  };
}

function drip(ledger: Ledger, address: unknown): object {
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new Error('address must be 0x and 40 hex characters');
  return { transaction: ledger.mint(address, DRIP_AMOUNT).hash, amount: String(DRIP_AMOUNT) };
}
