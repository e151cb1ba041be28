// Browser push: encrypted for the browser and signed with our key (RFC 8291, RFC 8292), sent through the same
// address guard as webhooks.

import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';
import { HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { CursorStore } from '../../store/ports.ts';
import type { PostOutcome, PostWebhook } from '../delivery/post-guarded.ts';
import { POST_TIMEOUT_MS, type SendAlert, type SendOutcome, toOutcome } from '../delivery/send-alert.ts';
import type { PendingBody } from '../rules/compose.ts';

export type { PushKeys };

/** A browser offline for longer than this misses the alert. */
const KEPT_S = (12 * HOUR_MS) / SECOND_MS;
const USUAL_PAUSE_MS = 60 * SECOND_MS;

export function createPushSender(
  post: PostWebhook,
  findKeys: () => Promise<PushKeys | null>,
  subject: string,
  clock: Clock,
): SendAlert {
  return async ({ url, secret }, { body }) => {
    try {
      const keys = await findKeys();
      if (keys === null) return { isDelivered: false, response: 'no push key yet' };
      const headers = {
        authorization: signPush(keys, url, subject, clock.now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEPT_S),
        urgency: 'high',
      };
      const sealed = encryptForBrowser(JSON.parse(secret) as BrowserKeys, Buffer.from(writePayload(body)));
      return judgePush(await post({ url, headers, body: sealed, timeoutMs: POST_TIMEOUT_MS }));
    } catch (error) {
      return { isDelivered: false, response: errorMessage(error) };
    }
  };
}

function writePayload(text: string): string {
  const { type, timestamp, account, data } = JSON.parse(text) as PendingBody;
  const { notice_id, title, text: line, link, event_id } = data;
  const kind = type.replace(/^notice\./, '');
  return JSON.stringify({
    notice_id,
    title,
    text: line,
    link,
    kind,
    account,
    event_id,
    happened_ts: timestamp,
  });
}

function judgePush(outcome: PostOutcome): SendOutcome {
  const { status, headers = {} } = outcome;
  // The browser has unsubscribed.
  if (status === 404 || status === 410) return { ...toOutcome(outcome), isGone: true };
  if (status !== 429) return toOutcome(outcome);
  const seconds = Number(headers['retry-after']);
  return { ...toOutcome(outcome), pauseMs: seconds > 0 ? seconds * SECOND_MS : USUAL_PAUSE_MS };
}

const KEYS_NAME = 'push-keys';

/** The leader creates the key once and stores it, so that every process uses the same key across restarts. */
export async function ensurePushKeys(cursors: CursorStore): Promise<PushKeys> {
  const known = await findPushKeys(cursors);
  if (known) return known;
  const keys = generatePushKeys();
  await cursors.put(KEYS_NAME, JSON.stringify(keys));
  return keys;
}

export async function findPushKeys(cursors: CursorStore): Promise<PushKeys | null> {
  const text = await cursors.find(KEYS_NAME);
  return text === undefined ? null : (JSON.parse(text) as PushKeys);
}

// Encryption (RFC 8291, one aes128gcm record of RFC 8188) and signature (VAPID, RFC 8292) of a browser push.

/** P-256 keys: the public key as an uncompressed point, both in base64url. */
interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** What a browser hands out with its subscription, in base64url. */
interface BrowserKeys {
  p256dh: string;
  auth: string;
}

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const PRIVATE_BYTES = 32;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const RECORD_BYTES = 4096;
const LAST_RECORD = Buffer.from([2]);
/** Push services accept at most 24 hours. */
const SIGNED_FOR_MS = 12 * HOUR_MS;

export function generatePushKeys(): PushKeys {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys().toString('base64url');
  // A private key with leading zero bytes comes back shorter.
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_BYTES), pair.getPrivateKey()]);
  return { publicKey, privateKey: privateKey.subarray(-PRIVATE_BYTES).toString('base64url') };
}

/** `sender` and `salt` are new for every message; a test passes those of the RFC. */
export function encryptForBrowser(
  browser: BrowserKeys,
  text: Buffer,
  { sender = createSender(), salt = randomBytes(SALT_BYTES) }: { sender?: ECDH; salt?: Buffer } = {},
): Buffer {
  const theirs = decode('p256dh', browser.p256dh, POINT_BYTES);
  const auth = decode('auth', browser.auth, AUTH_BYTES);
  const ours = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derive(sender.computeSecret(theirs), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.update(LAST_RECORD), cipher.final()]);
  return Buffer.concat([writeHeader(salt, ours), sealed, cipher.getAuthTag()]);
}

function createSender(): ECDH {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  return sender;
}

function writeHeader(salt: Buffer, ours: Buffer): Buffer {
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, sizes, ours]);
}

function derive(secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}

function decode(name: string, text: string, bytes: number): Buffer {
  const decoded = Buffer.from(text, 'base64url');
  if (decoded.length !== bytes)
    throw new Error(`the subscription's ${name} has ${decoded.length} bytes, not ${bytes}`);
  return decoded;
}

/** Returns the Authorization header for the push service of `endpoint`. */
export function signPush(keys: PushKeys, endpoint: string, subject: string, nowMs: number): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor((nowMs + SIGNED_FOR_MS) / SECOND_MS),
    sub: subject,
  };
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: toKey(keys), dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${keys.publicKey}`;
}

function toKey({ publicKey, privateKey }: PushKeys) {
  return createPrivateKey({ format: 'jwk', key: { ...toJwk(publicKey), d: privateKey } });
}

/** The first byte of an uncompressed point only says that it is one. */
export function toJwk(publicKey: string) {
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return { kty: 'EC', crv: 'P-256', x, y };
}
