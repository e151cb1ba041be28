// Shared allowances. One row per caller holds what was taken, by the instant at which it is given back, so that
// taking is: lock the row, drop what has expired, add what fits.

import type { Connection } from '../engine.ts';
import type { AllowanceStore } from '../ports.ts';

/** When `used` requests leave the window. */
type Slot = [expiresTs: number, used: number];

export function createAllowanceQueries({ db }: Connection): AllowanceStore {
  /** The update changes nothing; it locks the row until the transaction ends, on either engine. */
  async function lockSlots(caller: string): Promise<Slot[]> {
    const row = await db
      .insertInto('allowances')
      .values({ caller, slots: '[]', expires_ts: 0 })
      .onConflict((conflict) => conflict.column('caller').doUpdateSet({ caller }))
      .returning('slots')
      .executeTakeFirstOrThrow();
    return JSON.parse(row.slots) as Slot[];
  }

  async function putSlots(caller: string, slots: readonly Slot[]): Promise<void> {
    await db
      .updateTable('allowances')
      .set({ slots: JSON.stringify(slots), expires_ts: slots.at(-1)?.[0] ?? 0 })
      .where('caller', '=', caller)
      .execute();
  }

  return {
    async take(caller, wanted, limit, { windowMs, slotMs, nowTs }) {
      const standing = (await lockSlots(caller)).filter(([expiresTs]) => expiresTs > nowTs);
      const usedBefore = sumUsed(standing);
      const granted = Math.max(0, Math.min(wanted, limit - usedBefore));
      const expiresTs = expiryOf(nowTs, slotMs, windowMs);
      const slots = granted > 0 ? addSlot(standing, expiresTs, granted) : standing;
      if (granted > 0) await putSlots(caller, slots);
      const used = usedBefore + granted;
      return { granted, used, nextFreeTs: findNextFree(slots, used, limit) ?? nowTs };
    },

    async giveBack(caller, unused, { windowMs, slotMs, takenTs }) {
      const slots = await lockSlots(caller);
      const expiresTs = expiryOf(takenTs, slotMs, windowMs);
      const left = slots.map(
        ([at, used]): Slot => [at, at === expiresTs ? Math.max(0, used - unused) : used],
      );
      await putSlots(
        caller,
        left.filter(([, used]) => used > 0),
      );
    },

    async prune(beforeTs) {
      const deleted = await db.deleteFrom('allowances').where('expires_ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** A slot is given back when its last possible instant leaves the window: never more than the limit. */
function expiryOf(takenTs: number, slotMs: number, windowMs: number): number {
  return Math.floor(takenTs / slotMs) * slotMs + slotMs - 1 + windowMs;
}

function sumUsed(slots: readonly Slot[]): number {
  return slots.reduce((sum, [, used]) => sum + used, 0);
}

/** When enough has been given back for one more to fit; undefined when it fits now. */
function findNextFree(slots: readonly Slot[], used: number, limit: number): number | undefined {
  let standing = used;
  let freeTs: number | undefined;
  for (const [expiresTs, slotUsed] of slots) {
    if (standing < limit) break;
    standing -= slotUsed;
    freeTs = expiresTs;
  }
  return freeTs;
}

/** Clocks of replicas differ a little, so the new slot is not always the last. */
function addSlot(slots: readonly Slot[], expiresTs: number, granted: number): Slot[] {
  const others = slots.filter(([other]) => other !== expiresTs);
  const there = slots.find(([other]) => other === expiresTs)?.[1] ?? 0;
  return [...others, [expiresTs, there + granted] satisfies Slot].sort((left, right) => left[0] - right[0]);
}
