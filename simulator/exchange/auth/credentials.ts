// API credentials: created with a wallet signature (level 1), proven with an HMAC on every request (level 2).

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Hex, recoverTypedDataAddress } from 'viem';
import { CHAIN_ID } from '../../../src/trading/venue/polymarket/signing/contracts.ts';

export interface ApiCredentials {
  apiKey: string;
  secret: string;
  passphrase: string;
}

export interface KeyRecord extends ApiCredentials {
  address: Hex;
  nonce: number;
}

/** Lower-case names, as HTTP delivers them. */
export interface AuthHeaders {
  get(name: string): string | null;
}

export interface Credentials {
  /** The signing wallet; null if the signature is invalid or expired. */
  checkWallet(headers: AuthHeaders): Promise<{ address: Hex; nonce: number } | null>;
  /** null if the nonce has, or ever had, a key. */
  create(address: Hex, nonce: number): ApiCredentials | null;
  derive(address: Hex, nonce: number): ApiCredentials | null;
  revoke(apiKey: string): void;
  listOf(address: Hex): string[];
  /** The sender; null if any of the five headers is wrong. */
  checkRequest(headers: AuthHeaders, method: string, path: string, body: string): KeyRecord | null;
  find(given: ApiCredentials): KeyRecord | null;
}

export interface CredentialsOptions {
  seedKey: number;
  /** Times accepted as current: the client's real clock, or the simulator's. */
  nowTs(): readonly number[];
}

const MAX_AGE_MS = 60_000;
const MESSAGE = 'This message attests that I control the given wallet';
const FIELDS = [
  { name: 'address', type: 'address' },
  { name: 'timestamp', type: 'string' },
  { name: 'nonce', type: 'uint256' },
  { name: 'message', type: 'string' },
] as const;

export function createCredentials({ seedKey, nowTs }: CredentialsOptions): Credentials {
  const byKey = new Map<string, KeyRecord>();
  const revoked = new Set<string>();
  const isFresh = (seconds: string | null) => {
    const ts = Number(seconds) * 1000;
    return seconds !== null && nowTs().some((now) => Math.abs(now - ts) <= MAX_AGE_MS);
  };

  function make(address: Hex, nonce: number): KeyRecord {
    const digest = (label: string) =>
      createHash('sha256').update(`${seedKey} ${label} ${address.toLowerCase()} ${nonce}`).digest();
    const hex = digest('key').toString('hex');
    return {
      address,
      nonce,
      apiKey: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
      secret: digest('secret').toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      passphrase: digest('passphrase').toString('hex'),
    };
  }

  return {
    async checkWallet(headers) {
      const address = headers.get('poly_address') as Hex | null;
      const signature = headers.get('poly_signature') as Hex | null;
      const timestamp = headers.get('poly_timestamp');
      const nonce = Number(headers.get('poly_nonce') ?? '0');
      if (!address || !signature || !timestamp || !isFresh(timestamp) || !Number.isSafeInteger(nonce))
        return null;
      try {
        const recovered = await recoverTypedDataAddress({
          domain: { name: 'ClobAuthDomain', version: '1', chainId: CHAIN_ID },
          types: { ClobAuth: FIELDS },
          primaryType: 'ClobAuth',
          message: { address, timestamp, nonce: BigInt(nonce), message: MESSAGE },
          signature,
        });
        return recovered.toLowerCase() === address.toLowerCase() ? { address, nonce } : null;
      } catch {
        return null;
      }
    },
    create(address, nonce) {
      const record = make(address, nonce);
      if (byKey.has(record.apiKey) || revoked.has(record.apiKey)) return null;
      byKey.set(record.apiKey, record);
      return pick(record);
    },
    derive(address, nonce) {
      const record = byKey.get(make(address, nonce).apiKey);
      return record ? pick(record) : null;
    },
    revoke(apiKey) {
      byKey.delete(apiKey);
      revoked.add(apiKey);
    },
    listOf: (address) =>
      [...byKey.values()].filter((record) => same(record.address, address)).map(({ apiKey }) => apiKey),
    checkRequest(headers, method, path, body) {
      const record = byKey.get(headers.get('poly_api_key') ?? '');
      const timestamp = headers.get('poly_timestamp');
      if (!record || !timestamp || !isFresh(timestamp)) return null;
      if (!same(record.address, headers.get('poly_address') ?? '')) return null;
      if (record.passphrase !== headers.get('poly_passphrase')) return null;
      const expected = sign(record.secret, `${timestamp}${method}${path}${body}`);
      return equal(expected, headers.get('poly_signature') ?? '') ? record : null;
    },
    find({ apiKey, secret, passphrase }) {
      const record = byKey.get(apiKey);
      return record && equal(record.secret, secret) && equal(record.passphrase, passphrase) ? record : null;
    },
  };
}

function sign(secret: string, message: string): string {
  const key = Buffer.from(secret.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
  const digest = createHmac('sha256', key).update(message).digest('base64');
  return digest.replaceAll('+', '-').replaceAll('/', '_');
}

function equal(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function pick({ apiKey, secret, passphrase }: KeyRecord): ApiCredentials {
  return { apiKey, secret, passphrase };
}
