// Shared allowances. One row per caller stores its used requests by expiry time. Taking locks the row, drops
// expired slots and adds as many requests as fit.

import { sql } from 'kysely';
import type { Connection } from '../engine.ts';
import { type Columns, updateEach } from './many-rows.ts';

/** `used` requests leave the window at `expiresTs`. */
type Slot = [expiresTs: number, used: number];

/** A rolling window, counted in slots. */
interface AllowanceWindow {
  windowMs: number;
  slotMs: number;
}

type TakeArgs = [caller: string, wanted: number, limit: number, window: AllowanceWindow & { nowTs: number }];
type GiveBackArgs = [caller: string, unused: number, window: AllowanceWindow & { takenTs: number }];

/** A port call to be batched. */
export type AllowanceOrder = { kind: 'take'; args: TakeArgs } | { kind: 'give-back'; args: GiveBackArgs };

/** How many requests were granted, and when the next one will fit. */
interface Taken {
  granted: number;
  used: number;
  nextFreeTs: number;
}

const CHANGED: Columns<{ caller: string; slots: string; expires_ts: number }> = {
  caller: 'text',
  slots: 'text',
  expires_ts: 'bigint',
};

export function createAllowanceQueries(connection: Connection) {
  const { db, engine, runEach } = connection;
  /** Inserts or rewrites the row, which locks it until the transaction ends on either engine. */
  async function lockSlots(caller: string): Promise<Slot[]> {
    const row = await db
      .insertInto('allowances')
      .values({ caller, slots: '[]', expires_ts: 0 })
      .onConflict((conflict) => conflict.column('caller').doUpdateSet({ caller }))
      .returning('slots')
      .executeTakeFirstOrThrow();
    return JSON.parse(row.slots) as Slot[];
  }

  /** Always locks in the same order, to avoid deadlocks. */
  async function lockMany(callers: readonly string[]): Promise<Map<string, readonly Slot[]>> {
    const sorted = [...new Set(callers)].sort();
    if (runEach) {
      const kept = new Map<string, readonly Slot[]>();
      for (const caller of sorted) kept.set(caller, await lockSlots(caller));
      return kept;
    }
    const { rows } = await sql<{ caller: string; slots: string }>`
      insert into allowances (caller, slots, expires_ts)
      select given.caller, '[]', 0 from unnest(${sorted}::text[]) as given(caller)
      on conflict (caller) do update set caller = excluded.caller
      returning caller, slots`.execute(db);
    return new Map(rows.map(({ caller, slots }) => [caller, JSON.parse(slots) as Slot[]]));
  }

  async function settle(orders: readonly AllowanceOrder[]): Promise<(Taken | null)[]> {
    await engine.commitWithoutWaiting(db);
    const kept = await lockMany(orders.map(({ args }) => args[0]));
    const changed = new Set<string>();
    const answers = orders.map((order) => {
      const taken = settleOrder(kept, order);
      if (taken === null || taken.granted > 0) changed.add(order.args[0]);
      return taken;
    });
    const rows = [...changed].map((caller) => toRow(caller, kept.get(caller)!));
    await updateEach(connection, 'allowances', CHANGED, rows);
    return answers;
  }

  return {
    /** Runs many callers' calls in one transaction, in order; the result of a give-back is null. */
    settle,
    /** Takes up to `wanted` requests from the caller's `limit` per rolling window. */
    take: async (...args: TakeArgs): Promise<Taken> => (await settle([{ kind: 'take', args }]))[0]!,
    /** Returns unused requests that were taken at takenTs. */
    giveBack: async (...args: GiveBackArgs): Promise<void> =>
      void (await settle([{ kind: 'give-back', args }])),

    async prune(beforeTs: number) {
      const deleted = await db.deleteFrom('allowances').where('expires_ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

function toRow(caller: string, slots: readonly Slot[]) {
  return { caller, slots: JSON.stringify(slots), expires_ts: slots.at(-1)?.[0] ?? 0 };
}

/** Applies the call to the caller's slots in `kept`; returns the result of a take, null for a give-back. */
function settleOrder(kept: Map<string, readonly Slot[]>, order: AllowanceOrder): Taken | null {
  const [caller] = order.args;
  const before = kept.get(caller)!;
  if (order.kind === 'give-back') {
    const [, unused, window] = order.args;
    kept.set(caller, returnToSlots(before, unused, window));
    return null;
  }
  const [, wanted, limit, window] = order.args;
  const { slots, verdict } = takeFromSlots(before, wanted, limit, window);
  kept.set(caller, slots);
  return verdict;
}

/** Returns the slots after taking, and the result for the caller. */
function takeFromSlots(
  before: readonly Slot[],
  wanted: number,
  limit: number,
  { windowMs, slotMs, nowTs }: TakeArgs[3],
): { slots: readonly Slot[]; verdict: Taken } {
  const standing = before.filter(([expiresTs]) => expiresTs > nowTs);
  const usedBefore = sumUsed(standing);
  const granted = Math.max(0, Math.min(wanted, limit - usedBefore));
  const expiresTs = expiryOf(nowTs, slotMs, windowMs);
  const slots = granted > 0 ? addSlot(standing, expiresTs, granted) : standing;
  const used = usedBefore + granted;
  return { slots, verdict: { granted, used, nextFreeTs: findNextFree(slots, used, limit) ?? nowTs } };
}

function returnToSlots(
  slots: readonly Slot[],
  unused: number,
  { windowMs, slotMs, takenTs }: GiveBackArgs[2],
): Slot[] {
  const expiresTs = expiryOf(takenTs, slotMs, windowMs);
  return slots
    .map(([at, used]): Slot => [at, at === expiresTs ? Math.max(0, used - unused) : used])
    .filter(([, used]) => used > 0);
}

/** A slot expires when its last millisecond leaves the window, so the limit is never exceeded. */
function expiryOf(takenTs: number, slotMs: number, windowMs: number): number {
  return Math.floor(takenTs / slotMs) * slotMs + slotMs - 1 + windowMs;
}

function sumUsed(slots: readonly Slot[]): number {
  return slots.reduce((sum, [, used]) => sum + used, 0);
}

/** When enough slots will have expired for one more request; undefined if it fits now. */
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

/** Replica clocks differ slightly, so the new slot does not always come last. */
function addSlot(slots: readonly Slot[], expiresTs: number, granted: number): Slot[] {
  const others = slots.filter(([other]) => other !== expiresTs);
  const there = slots.find(([other]) => other === expiresTs)?.[1] ?? 0;
  return [...others, [expiresTs, there + granted] satisfies Slot].sort((left, right) => left[0] - right[0]);
}
