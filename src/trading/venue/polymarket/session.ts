// Authenticated requests to the exchange, using the wallet's API key.

import { createHmac } from 'node:crypto';
import type { Hex, LocalAccount } from 'viem';
import type { Clock } from '../../../runtime/clock.ts';
import { CHAIN_ID } from './signing/contracts.ts';
import type { Signer } from './signing/sign-order.ts';
import { readPage } from './wire.ts';

export interface SessionOptions {
  url: string;
  signer: Signer;
  clock: Clock;
  fetch?: typeof fetch;
  timeoutMs?: number;
}

export interface Reply {
  status: number;
  /** null if it is not JSON. */
  body: unknown;
  /** Whether the body is JSON's own `null`. */
  isNull: boolean;
}

export interface Session {
  key: ApiCredentials;
  request(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Reply>;
  signed(method: string, path: string, query?: string, body?: string): Promise<Reply>;
  listAll(path: string, filter?: string): Promise<unknown[]>;
}

const FIRST_CURSOR = 'MA==';
const END_CURSOR = 'LTE=';
const MAX_PAGES = 100;
export const TIMEOUT_MS = 4_000;

/** Fetches or creates API credentials; otherwise the wallet signs only orders. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { account } = options.signer;

  const startTimeout = () => AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);

  async function request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body = '',
    signal = startTimeout(),
  ): Promise<Reply> {
    const response = await (options.fetch ?? fetch)(`${options.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === '' ? {} : { body }),
      // Another host must never receive the key's headers or a signed order.
      redirect: 'error',
      signal,
    });
    const text = await response.text();
    return { status: response.status, body: parse(text), isNull: text.trim() === 'null' };
  }

  async function openKey(): Promise<ApiCredentials> {
    const headers = await walletHeaders(account, options.clock.now());
    const made = await request('POST', '/auth/api-key', headers);
    const given = isKey(made) ? made : await request('GET', '/auth/derive-api-key', headers);
    if (!isKey(given)) throw new Error(`no API key: ${describe(given)}`);
    return given.body;
  }

  const key = await openKey();
  function signed(
    method: string,
    path: string,
    query = '',
    body = '',
    signal = startTimeout(),
  ): Promise<Reply> {
    const headers = requestHeaders(account.address, key, { method, path, body, nowTs: options.clock.now() });
    return request(method, `${path}${query}`, headers, body, signal);
  }

  /** All pages together must arrive within the timeout of one request. */
  async function listAll(path: string, filter = ''): Promise<unknown[]> {
    const signal = startTimeout();
    const items: unknown[] = [];
    const asked = new Set<string>();
    for (let cursor = FIRST_CURSOR; cursor !== END_CURSOR; ) {
      if (asked.has(cursor)) throw new Error(`${path}: page ${cursor} lists itself as the next page`);
      if (asked.size === MAX_PAGES) throw new Error(`${path}: more than ${MAX_PAGES} pages`);
      asked.add(cursor);
      const query = `?next_cursor=${cursor}${filter}`;
      const page = readPage(await expectOk(signed('GET', path, query, '', signal)));
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }

  return { key, request, signed, listAll };
}

export async function expectOk(reply: Promise<Reply>): Promise<unknown> {
  const given = await reply;
  if (given.status !== 200) throw new Error(describe(given));
  return given.body;
}

/** A truncated response contains no key, although the exchange may have created one. */
function isKey(reply: Reply): reply is Reply & { body: ApiCredentials } {
  const { apiKey, secret, passphrase } = (reply.body ?? {}) as Partial<Record<keyof ApiCredentials, unknown>>;
  const isWhole = [apiKey, secret, passphrase].every((part) => typeof part === 'string' && part !== '');
  return reply.status === 200 && isWhole;
}

export function describe({ status, body }: Reply): string {
  const error = (body as { error?: unknown } | null)?.error;
  return `${status} ${typeof error === 'string' ? error : 'without a reason'}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The exchange's two authentication schemes: a wallet signature for API keys, an HMAC for everything else.

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

function requestHeaders(
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
