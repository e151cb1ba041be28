// Issues, lists, revokes and rotates keys. The plain key is returned once and never stored.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from '../runtime/clock.ts';
import { UsageError } from '../runtime/errors.ts';
import type { ApiKeyRecord, KeyStore, Tier } from '../store/ports.ts';

export interface IssuedKey {
  key: string;
  record: ApiKeyRecord;
}

export interface KeyService {
  issue(request: { tier: Tier; label: string; expiresTs?: number | null }): Promise<IssuedKey>;
  list(): Promise<ApiKeyRecord[]>;
  /** Takes a key or its id. */
  revoke(keyOrId: string): Promise<ApiKeyRecord>;
  /** The new key inherits the old key's tier, label and webhooks; the old key's streams end. */
  rotate(keyOrId: string): Promise<IssuedKey>;
}

export function createKeyService(keys: KeyStore, clock: Clock): KeyService {
  function create(request: { tier: Tier; label: string; expiresTs?: number | null }): IssuedKey {
    const key = generateKey(request.tier);
    const record: ApiKeyRecord = {
      keyId: `key_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
      digest: digestKey(key),
      tier: request.tier,
      label: request.label,
      firstCharacters: key.slice(0, 4),
      lastCharacters: key.slice(-4),
      createdTs: clock.now(),
      revokedTs: null,
      expiresTs: request.expiresTs ?? null,
    };
    return { key, record };
  }

  async function findStanding(keyOrId: string): Promise<ApiKeyRecord> {
    const record = isWellFormedKey(keyOrId)
      ? await keys.findByDigest(digestKey(keyOrId))
      : await keys.findById(keyOrId);
    if (!record) throw new UsageError('no such key');
    if (record.revokedTs !== null) throw new UsageError(`key ${record.keyId} is already revoked`);
    return record;
  }

  async function revoke(keyOrId: string): Promise<ApiKeyRecord> {
    const record = await findStanding(keyOrId);
    const revokedTs = clock.now();
    if (await keys.revoke(record.keyId, revokedTs)) return { ...record, revokedTs };
    throw new UsageError(`key ${record.keyId} is already revoked`);
  }

  return {
    async issue(request) {
      const issued = create(request);
      await keys.insert(issued.record);
      return issued;
    },
    list: () => keys.list(),
    revoke,
    async rotate(keyOrId) {
      const old = await findStanding(keyOrId);
      const issued = create({ tier: old.tier, label: old.label, expiresTs: old.expiresTs });
      if (await keys.rotate(old.keyId, issued.record, clock.now())) return issued;
      throw new UsageError(`key ${old.keyId} is already revoked`);
    },
  };
}

// Key format: tier prefix, 30 random base62 characters, 6 base62 characters of CRC-32. The checksum rejects
// typos without a store lookup; it is not a secret.

const PREFIXES: Record<Tier, string> = { FREE: 'tc_free_', PRO: 'tc_pro_', INTERNAL: 'tc_int_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY = /^tc_(?:free|pro|int)_[0-9A-Za-z]{36}$/;

export function generateKey(tier: Tier): string {
  const stem = PREFIXES[tier] + randomBase62(RANDOM_LENGTH);
  return stem + checksum(stem);
}

export function isWellFormedKey(key: string): boolean {
  if (!KEY.test(key)) return false;
  const stem = key.slice(0, -CHECKSUM_LENGTH);
  return checksum(stem) === key.slice(-CHECKSUM_LENGTH);
}

export function digestKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(stem: string): string {
  let rest = crc32(stem);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Bytes of 248 and above are discarded, so that every character is equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
