// Verifies and parses received webhooks (Standard Webhooks). Uses the platform's own cryptography, so that it
// runs in browsers, workers and Node.

import type { Notice } from './generated/schema.ts';

/** An alert of a rule. The other fields of `data` depend on the kind and are those of the notice's `data`. */
export interface WebhookNotice {
  type: `notice.${Notice['kind']}`;
  timestamp: number;
  account: string | null;
  data: Pick<Notice, 'notice_id' | 'what' | 'event_id' | 'title' | 'text' | 'link'> & Record<string, unknown>;
}

export interface VerifyOptions {
  /** Maximum age or clock difference of a delivery. */
  toleranceS?: number | undefined;
  /** Current time in UTC milliseconds; for tests. */
  nowTs?: number | undefined;
}

const SECRET_PREFIX = 'whsec_';

/** Throws unless the body, exactly as received, is recent and was signed with the secret. */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  { toleranceS = 300, nowTs = Date.now() }: VerifyOptions = {},
): Promise<WebhookNotice> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ');
  const ageS = nowTs / 1000 - Number(timestamp);
  if (!(Math.abs(ageS) <= toleranceS))
    throw new Error('the webhook is too old or has a timestamp in the future');
  const key = await importSecret(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures) {
    const [version, digest] = signature.split(',');
    if (version !== 'v1' || digest === undefined) continue;
    // The platform's verify compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, decodeBase64(digest), signed)) return JSON.parse(body);
  }
  throw new Error('the webhook is not signed with this secret');
}

function importSecret(secret: string): Promise<CryptoKey> {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return crypto.subtle.importKey('raw', decodeBase64(text), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function readHeader(
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new Error(`the header ${name} is missing`);
  return value;
}
