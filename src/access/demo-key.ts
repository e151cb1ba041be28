// The demo key: one PRO key per process, handed out to the dashboard in simulator mode only. It is revoked
// when the process stops, or at the next start after a crash.

import type { Clock } from '../runtime/clock.ts';
import type { KeyStore } from '../store/ports.ts';
import { createKeyService, type IssuedKey } from './key-service.ts';

/** Label used to find keys that a killed process could not revoke. */
export const DEMO_LABEL = 'demonstration (handed out by the page)';

export interface DemoKey {
  /** Returns the same key each time; issued on the first call and again after a revocation. */
  hand(): Promise<string>;
  revoke(): Promise<void>;
}

export function createDemoKey(keys: KeyStore, clock: Clock): DemoKey {
  const keyService = createKeyService(keys, clock);
  let issued: Promise<IssuedKey> | null = null;
  let pending: Promise<IssuedKey> | null = null;

  const issue = () => keyService.issue({ tier: 'PRO', label: DEMO_LABEL });

  async function standing(): Promise<IssuedKey | null> {
    const known = await issued?.catch(() => null);
    const record = known && (await keys.findById(known.record.keyId));
    return record?.revokedTs === null ? known! : null;
  }

  async function hand(): Promise<string> {
    // Concurrent calls share one key.
    if (!(await standing())) issued = pending ??= issue().finally(() => (pending = null));
    return (await issued!).key;
  }

  return {
    hand,
    async revoke() {
      const known = await standing();
      if (known) await keys.revoke(known.record.keyId, clock.now());
    },
  };
}

/** Revokes keys that a killed process left behind. */
export async function revokeLeftDemoKeys(keys: KeyStore, clock: Clock): Promise<void> {
  const left = (await keys.list()).filter(
    ({ label, revokedTs }) => label === DEMO_LABEL && revokedTs === null,
  );
  for (const { keyId } of left) await keys.revoke(keyId, clock.now());
}
