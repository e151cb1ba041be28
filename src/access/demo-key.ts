// The demonstration's key: in the simulator alone, one PRO key of this process for whoever presses the button. It
// opens nothing that is real, and it is over with the process: revoked when that stops, or at the next start.

import type { Clock } from '../runtime/clock.ts';
import type { KeyStore } from '../store/ports.ts';
import { createKeyDesk, type IssuedKey } from './key-desk.ts';

/** By which keys are found again that a killed process could not revoke. */
export const DEMO_LABEL = 'demonstration (handed out by the page)';

export interface DemoKey {
  /** The same key each time, issued with the first call and again when it was revoked meanwhile. */
  hand(): Promise<string>;
  revoke(): Promise<void>;
}

export function createDemoKey(keys: KeyStore, clock: Clock): DemoKey {
  const desk = createKeyDesk(keys, clock);
  let issued: Promise<IssuedKey> | null = null;
  let pending: Promise<IssuedKey> | null = null;

  const issue = () => desk.issue({ tier: 'PRO', label: DEMO_LABEL });

  async function standing(): Promise<IssuedKey | null> {
    const known = await issued?.catch(() => null);
    const record = known && (await keys.findById(known.record.keyId));
    return record?.revokedTs === null ? known! : null;
  }

  async function hand(): Promise<string> {
    // Asked for by two at once it is still one key.
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

/** Of a process that ended without a word. */
export async function revokeLeftDemoKeys(keys: KeyStore, clock: Clock): Promise<void> {
  const left = (await keys.list()).filter(
    ({ label, revokedTs }) => label === DEMO_LABEL && revokedTs === null,
  );
  for (const { keyId } of left) await keys.revoke(keyId, clock.now());
}
