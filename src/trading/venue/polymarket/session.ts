// Authenticated requests to the exchange, using the wallet's API key.

import { createHmac } from 'node:crypto';
import type { Hex, LocalAccount } from 'viem';
import type { Clock } from '../../../runtime/clock.ts';
import type { Access } from '../../types.ts';
import { readAmount, readFields, readFlag, readList } from '../answer-fields.ts';
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

// Whether this account may trade from here: location, account restrictions, and the session key's lifetime.

const DAY_MS = 86_400_000;
/** A new session key needs the owner, so warn early. */
const WARN_DAYS = 7;

export interface AccessOptions extends SessionOptions {
  geoblockUrl: string | null;
  sessionExpiresTs?: number | null;
}

export function createAccessCheck(options: AccessOptions, session: Session): () => Promise<Access> {
  return async () => {
    const blocked = await findBlock(options.geoblockUrl, options.fetch);
    if (blocked !== null) return refuse(`trading is blocked from ${blocked}`);
    const mode = await expectOk(session.signed('GET', '/auth/ban-status/closed-only'));
    if (readFlag(readFields(mode, 'closed_only'), 'closed_only'))
      return refuse('the account may only close positions');
    return options.signer.isSession ? checkSession(options, session) : { isAllowed: true, reason: '' };
  };
}

/** The blocked country; null if trading is allowed from here. */
export async function findBlock(url: string | null, ask: typeof fetch = fetch): Promise<string | null> {
  if (url === null) return null;
  const response = await ask(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { blocked, country } = (await response.json()) as { blocked?: boolean; country?: string };
  return blocked === false ? null : (country ?? 'here');
}

async function checkSession(options: AccessOptions, session: Session): Promise<Access> {
  const expiresTs = await findSessionEnd(options, session);
  if (expiresTs === 'missing')
    return refuse('the session key is not authorised for this wallet; run npx tallycast trade setup');
  if (expiresTs === null)
    return {
      isAllowed: true,
      reason: '',
      warning: 'the end of the session key is unknown; pass --session-expires',
    };
  const day = new Date(expiresTs).toISOString().slice(0, 10);
  const leftMs = expiresTs - options.clock.now();
  if (leftMs <= 0) return refuse(`the session key expired on ${day}; run npx tallycast trade setup`);
  const warning = `the session key expires on ${day}; have the owner authorise a new one`;
  return { isAllowed: true, reason: '', ...(leftMs < WARN_DAYS * DAY_MS ? { warning } : {}) };
}

/** Some exchanges list session keys only to the owner; then only the operator knows the end. */
export async function findSessionEnd(
  options: AccessOptions,
  { signed }: Pick<Session, 'signed'>,
): Promise<number | 'missing' | null> {
  const reply = await signed('GET', '/v1/user/session-signers');
  if (reply.status >= 500) throw new Error(`session keys could not be listed: ${reply.status}`);
  if (reply.status !== 200) return options.sessionExpiresTs ?? null;
  const signers = readList(readFields(reply.body, 'session signers').signers, 'signers');
  const own = options.signer.account.address.toLowerCase();
  const found = signers
    .map((one) => readFields(one, 'signers'))
    .find(({ address }) => String(address).toLowerCase() === own);
  return found ? 1000 * readAmount(found, 'valid_until') : 'missing';
}

function refuse(reason: string): Access {
  return { isAllowed: false, reason };
}
