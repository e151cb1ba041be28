// Finds and parses the payment header of protocol version 1 or 2: base64-encoded JSON. Only what is needed to store and
// match a payment is checked here; the facilitator checks the rest.

/** Our own name first, then those of protocol versions 2 and 1. */
const HEADER_NAMES = ['x402', 'payment-signature', 'x-payment'] as const;
/** A header with a 1 kB signature and the accepted terms has about 6,000 characters. */
const MAX_HEADER_CHARACTERS = 8_192;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
/** 65 bytes for an ordinary wallet; smart wallets (several owners or a passkey) need up to 1 kB. */
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){65,1024}$/;
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/;

/** What the payer signs, in both protocol versions: one authorisation is one payment. */
const AUTHORIZATION = {
  from: [ADDRESS, 'an address'],
  to: [ADDRESS, 'an address'],
  value: [DECIMAL, 'a decimal string'],
  validAfter: [DECIMAL, 'a decimal string'],
  validBefore: [DECIMAL, 'a decimal string'],
  nonce: [NONCE, '32 bytes of hex'],
} as const;

type Authorization = Record<keyof typeof AUTHORIZATION, string>;

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

export function findPaymentHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  for (const name of HEADER_NAMES) {
    const value = headers[name];
    const text = (Array.isArray(value) ? value[0] : value)?.trim();
    if (text) return text;
  }
  return null;
}

export function parsePayment(header: string): ParsedPayment {
  const raw = decode(header);
  if (!raw) return unreadable('the payment header is not a base64-encoded JSON object');
  const { x402Version: version, payload, accepted } = raw;
  if (version !== 1 && version !== 2) return unreadable('x402Version must be 1 or 2');
  const terms = version === 1 ? raw : accepted;
  if (!isObject(terms)) return unreadable('accepted is missing');
  const { scheme, network } = terms;
  if (typeof scheme !== 'string' || typeof network !== 'string')
    return unreadable('scheme and network must be strings');
  if (!isObject(payload)) return unreadable('payload is missing');
  const { signature } = payload;
  if (!matches(SIGNATURE, signature)) return unreadable('payload.signature must be hex, 65 to 1024 bytes');
  const authorization = parseAuthorization(payload.authorization);
  if (typeof authorization === 'string') return unreadable(authorization);
  return { ok: true, payment: { version, network, scheme, authorization, signature, accepted } };
}

/** Copies the known fields only, so that nothing else of the header is stored or sent on. */
function parseAuthorization(sent: unknown): Authorization | string {
  if (!isObject(sent)) return 'payload.authorization is missing';
  const fields: Record<string, string> = {};
  for (const [name, [pattern, what]] of Object.entries(AUTHORIZATION)) {
    const value = sent[name];
    if (!matches(pattern, value)) return `authorization.${name} must be ${what}`;
    fields[name] = value;
  }
  return fields as Authorization;
}

function decode(header: string): Record<string, unknown> | null {
  if (header.length > MAX_HEADER_CHARACTERS || !BASE64.test(header)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
