// Parses a payment header of protocol version 1 or 2: base64-encoded JSON. Both versions sign the same data,
// so one authorisation is one payment in either version.

/** A header with a 1 kB signature and the accepted terms has about 6,000 characters. */
const MAX_HEADER_CHARACTERS = 8_192;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
/** 65 bytes for an ordinary wallet; smart wallets (several owners or a passkey) need up to 1 kB. */
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){65,1024}$/;
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/;
const MAX_UINT256 = 2n ** 256n - 1n;

export interface Authorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

export interface SentPayment {
  version: 1 | 2;
  /** As sent: a name in version 1, CAIP-2 in version 2. */
  network: string;
  scheme: string;
  authorization: Authorization;
  signature: string;
  /** The offer the client accepted; version 2 only. */
  accepted: unknown;
}

export type ParsedPayment = { ok: true; payment: SentPayment } | { ok: false; reason: string };

export function parsePayment(header: string): ParsedPayment {
  const raw = decode(header);
  if (!raw) return unreadable('the payment header is not a base64-encoded JSON object');
  const { x402Version: version } = raw;
  if (version !== 1 && version !== 2) return unreadable('x402Version must be 1 or 2');
  const terms = version === 1 ? raw : raw.accepted;
  if (!isObject(terms)) return unreadable('accepted is missing');
  const { scheme, network } = terms;
  if (typeof scheme !== 'string' || typeof network !== 'string') {
    return unreadable('scheme and network must be strings');
  }
  const payload = raw.payload;
  if (!isObject(payload)) return unreadable('payload is missing');
  const authorization = parseAuthorization(payload);
  if (typeof authorization === 'string') return unreadable(authorization);
  const signature = payload.signature as string;
  return {
    ok: true,
    payment: { version, network, scheme, authorization, signature, accepted: raw.accepted },
  };
}

function parseAuthorization(payload: Record<string, unknown>): Authorization | string {
  const { signature, authorization } = payload;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature))
    return 'payload.signature must be hex, 65 to 1024 bytes';
  if (!isObject(authorization)) return 'payload.authorization is missing';
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  if (!matches(ADDRESS, from)) return 'authorization.from must be an address';
  if (!matches(ADDRESS, to)) return 'authorization.to must be an address';
  if (!isUint256(value)) return 'authorization.value must be a decimal string';
  if (!isUint256(validAfter)) return 'authorization.validAfter must be a decimal string';
  if (!isUint256(validBefore)) return 'authorization.validBefore must be a decimal string';
  if (!matches(NONCE, nonce)) return 'authorization.nonce must be 32 bytes of hex';
  return { from, to, value, validAfter, validBefore, nonce };
}

function decode(header: string): Record<string, unknown> | null {
  const text = header.trim();
  if (text.length > MAX_HEADER_CHARACTERS || !BASE64.test(text)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function unreadable(reason: string): ParsedPayment {
  return { ok: false, reason };
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isUint256(value: unknown): value is string {
  return matches(DECIMAL, value) && BigInt(value) <= MAX_UINT256;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
