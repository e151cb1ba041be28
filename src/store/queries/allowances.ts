// Shared allowances. One row per caller holds what was taken, by the instant at which it is given back, so that
// taking is: lock the row, drop what has expired, add what fits.

import type { Connection } from '../engine.ts';
import type { AllowanceStore } from '../ports.ts';

/** When `used` requests leave the window. */
export type Slot = [expiresTs: number, used: number];

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
    async take(caller, wanted, limit, window) {
      const { slots, verdict } = takeFromSlots(await lockSlots(caller), wanted, limit, window);
      if (verdict.granted > 0) await putSlots(caller, slots);
      return verdict;
    },

    async giveBack(caller, unused, window) {
      await putSlots(caller, returnToSlots(await lockSlots(caller), unused, window));
    },

    async prune(beforeTs) {
      const deleted = await db.deleteFrom('allowances').where('expires_ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** What is left standing after taking, and what to tell the caller. */
export function takeFromSlots(
  before: readonly Slot[],
  wanted: number,
  limit: number,
  { windowMs, slotMs, nowTs }: { windowMs: number; slotMs: number; nowTs: number },
): { slots: readonly Slot[]; verdict: Awaited<ReturnType<AllowanceStore['take']>> } {
  const standing = before.filter(([expiresTs]) => expiresTs > nowTs);
  const usedBefore = sumUsed(standing);
  const granted = Math.max(0, Math.min(wanted, limit - usedBefore));
  const expiresTs = expiryOf(nowTs, slotMs, windowMs);
  const slots = granted > 0 ? addSlot(standing, expiresTs, granted) : standing;
  const used = usedBefore + granted;
  return { slots, verdict: { granted, used, nextFreeTs: findNextFree(slots, used, limit) ?? nowTs } };
}

export function returnToSlots(
  slots: readonly Slot[],
  unused: number,
  { windowMs, slotMs, takenTs }: { windowMs: number; slotMs: number; takenTs: number },
): Slot[] {
  const expiresTs = expiryOf(takenTs, slotMs, windowMs);
  return slots
    .map(([at, used]): Slot => [at, at === expiresTs ? Math.max(0, used - unused) : used])
    .filter(([, used]) => used > 0);
}

/** A slot is given back when its last possible instant leaves the window: never more than the limit. */
export function expiryOf(takenTs: number, slotMs: number, windowMs: number): number {
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
