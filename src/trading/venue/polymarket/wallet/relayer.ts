// The exchange's relayer, which carries out a deposit wallet's signed batches without gas.

import type { Hex } from 'viem';
import { FACTORIES } from '../signing/derive-wallets.ts';
import { type Signer, signBatch, type WalletCall } from '../signing/sign-order.ts';

export interface RelayerKey {
  apiKey: string;
  address: string;
}

export interface Relayer {
  /** Whether the relayer deployed a wallet at the address; it knows no proxies. */
  isDeployed(address: Hex, type: 'WALLET' | 'SAFE'): Promise<boolean>;
  nonceOf(signer: Hex): Promise<string>;
  /** Returns the transaction's id. */
  submit(signer: Signer, calls: readonly WalletCall[], nowTs: number): Promise<string>;
  /** null while pending. */
  hasSucceeded(id: string): Promise<boolean | null>;
}

const TIMEOUT_MS = 4_000;
/** The relayer demands 10 s; the exchange's own clients use this. */
const BATCH_LIFE_S = 600;

export interface RelayerOptions {
  url: string;
  /** Needed to submit; created by the owner on the exchange's site. */
  key: RelayerKey | null;
  fetch?: typeof fetch;
}

export function openRelayer({ url, key, fetch: ask = fetch }: RelayerOptions): Relayer {
  async function request(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
    const response = await ask(`${url}${path}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    if (!response.ok || body === null)
      throw new Error(`relayer: ${response.status} ${String(body?.error ?? 'without a reason')}`);
    return body;
  }

  async function nonceOf(signer: Hex): Promise<string> {
    const { nonce } = await request(`/v1/account/transactions/params?address=${signer}&type=WALLET`);
    if (!/^\d+$/.test(String(nonce))) throw new Error('relayer: nonce is missing or unreadable');
    return String(nonce);
  }

  return {
    isDeployed: async (address, type) =>
      (await request(`/deployed?address=${address}&type=${type}`)).deployed === true,
    nonceOf,
    async submit(signer, calls, nowTs) {
      if (key === null) throw new Error('no relayer key: set TALLYCAST_RELAYER_KEY');
      const nonce = await nonceOf(signer.account.address);
      const deadline = String(Math.floor(nowTs / 1000) + BATCH_LIFE_S);
      const signature = await signBatch(signer, { wallet: signer.wallet, nonce, deadline, calls });
      const body = {
        type: 'WALLET',
        from: signer.account.address,
        to: FACTORIES.deposit,
        nonce,
        signature,
        metadata: '',
        depositWalletParams: {
          depositWallet: signer.wallet,
          deadline,
          calls: calls.map(({ target, data }) => ({ target, value: '0', data })),
        },
      };
      const { transactionID } = await request('/submit', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          RELAYER_API_KEY: key.apiKey,
          RELAYER_API_KEY_ADDRESS: key.address,
        },
        body: JSON.stringify(body),
      });
      if (typeof transactionID !== 'string') throw new Error('relayer: transactionID is missing');
      return transactionID;
    },
    async hasSucceeded(id) {
      const { state } = await request(`/v1/account/transactions/${encodeURIComponent(id)}`);
      if (state === 'STATE_CONFIRMED') return true;
      return state === 'STATE_FAILED' || state === 'STATE_INVALID' ? false : null;
    },
  };
}
