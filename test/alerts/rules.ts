// Ten rules per key: six on the oracle lag, with thresholds from 1 to 100 posts, and four others.

import type { AlertRule, Store } from '../../src/store/ports.ts';
import { POSTS_PER_EVENT } from './truth.ts';

const OTHER_KINDS = ['bucket_crossed', 'activity', 'settled', 'window'];
export const RULES_PER_KEY = 10;
const APART_PER_KEY = RULES_PER_KEY - OTHER_KINDS.length;

/** A receiver's thresholds. Across all keys they cover the whole range. */
export function thresholdsOf(receiver: number): number[] {
  const at = (i: number) => 1 + ((receiver * APART_PER_KEY + i) % POSTS_PER_EVENT);
  return Array.from({ length: APART_PER_KEY }, (_, i) => at(i));
}

export async function insertKeys(
  store: Store,
  keys: number,
  urlOf: (receiver: number) => string,
): Promise<void> {
  for (let first = 0; first < keys; first += 50) {
    const batch = Array.from({ length: Math.min(50, keys - first) }, (_, i) => first + i);
    await Promise.all(batch.map((receiver) => insertKey(store, receiver, urlOf(receiver))));
  }
}

async function insertKey(store: Store, receiver: number, url: string): Promise<void> {
  const keyId = `key-${receiver}`;
  const channelIds = [`hook-${receiver}`];
  await store.keys.insert({
    ...{ keyId, digest: keyId, tier: 'PRO', label: '', firstCharacters: '', lastCharacters: '' },
    ...{ createdTs: 0, revokedTs: null, expiresTs: null },
  });
  await store.webhooks.insert({
    ...{ webhookId: channelIds[0]!, keyId, kind: 'webhook', label: '', url, secret: 'whsec_cHJvb2Y=' },
    ...{ createdTs: 0, disabledTs: null, link: null },
  });
  const base = {
    keyId,
    accountId: 'a',
    eventId: null,
    channelIds,
    quiet: null,
    mostPerHour: 10_000,
    topic: null,
  };
  const rule = (place: number, kind: string, threshold: number | null): AlertRule => ({
    ...{ ...base, ruleId: `rule-${receiver}-${place}`, kind, threshold, createdTs: 0 },
  });
  const apart = thresholdsOf(receiver).map((threshold, i) => rule(i, 'counts_apart', threshold));
  const others = OTHER_KINDS.map((kind, i) => rule(APART_PER_KEY + i, kind, null));
  for (const one of [...apart, ...others]) await store.rules.insert(one);
}
