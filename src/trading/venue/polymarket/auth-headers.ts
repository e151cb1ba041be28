// The exchange's two authentication schemes: a wallet signature for API keys, an HMAC for everything else.

import { createHmac } from 'node:crypto';
import type { Hex, LocalAccount } from 'viem';
import { CHAIN_ID } from './signing/contracts.ts';

export interface ApiCredentials {
  apiKey: string;
  secret: string;
  passphrase: string;
}

const AUTH_FIELDS = [
  { name: 'address', type: 'address' },
  { name: 'timestamp', type: 'string' },
  { name: 'nonce', type: 'uint256' },
  { name: 'message', type: 'string' },
] as const;

/** Signed by the key itself, also for a session key or the owner of a contract wallet. */
export async function walletHeaders(
  account: LocalAccount,
  nowTs: number,
  nonce = 0,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowTs / 1000));
  const signature = await account.signTypedData({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: CHAIN_ID },
    types: { ClobAuth: AUTH_FIELDS },
    primaryType: 'ClobAuth',
    message: {
      address: account.address,
      timestamp,
      nonce: BigInt(nonce),
      message: 'This message attests that I control the given wallet',
    },
  });
  return {
    POLY_ADDRESS: account.address,
    POLY_SIGNATURE: signature,
    POLY_TIMESTAMP: timestamp,
    POLY_NONCE: String(nonce),
  };
}

export function requestHeaders(
  address: Hex,
  { apiKey, secret, passphrase }: ApiCredentials,
  { method, path, body, nowTs }: { method: string; path: string; body: string; nowTs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(nowTs / 1000));
  const key = Buffer.from(secret.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
  const digest = createHmac('sha256', key).update(`${timestamp}${method}${path}${body}`).digest('base64');
  return {
    POLY_ADDRESS: address,
    POLY_API_KEY: apiKey,
    POLY_PASSPHRASE: passphrase,
    POLY_SIGNATURE: digest.replaceAll('+', '-').replaceAll('/', '_'),
    POLY_TIMESTAMP: timestamp,
  };
}
