// The waitlist. Positions have no gaps, because an insert first locks the row with the last position.

import type { Connection } from '../engine.ts';
import { WAITLIST, type WaitlistEntry } from '../tables-callers.ts';

const COUNTER_ID = 1;

export function createWaitlistQueries({ db }: Connection) {
  async function findPosition(identity: string): Promise<number | undefined> {
    const row = await db
      .selectFrom('waitlist')
      .select('position')
      .where('identity', '=', identity)
      .executeTakeFirst();
    return row?.position;
  }

  /** Locks the row until the transaction ends; a rollback returns the position. */
  async function takePosition(): Promise<number> {
    const row = await db
      .updateTable('waitlist_counter')
      .set((eb) => ({ last_position: eb('last_position', '+', 1) }))
      .where('id', '=', COUNTER_ID)
      .returning('last_position')
      .executeTakeFirstOrThrow();
    return row.last_position;
  }

  async function givePositionBack(): Promise<void> {
    await db
      .updateTable('waitlist_counter')
      .set((eb) => ({ last_position: eb('last_position', '-', 1) }))
      .where('id', '=', COUNTER_ID)
      .execute();
  }

  return {
    /** Positions are 1, 2, 3 ... without gaps; the same identity (ignoring case) keeps its first position. */
    async register(entry: WaitlistEntry) {
      const identity = identityOf(entry);
      const known = await findPosition(identity);
      if (known !== undefined) return { position: known, isNew: false };
      const position = await takePosition();
      const inserted = await db
        .insertInto('waitlist')
        .values({ identity, position, ...WAITLIST.toRow(entry) })
        .onConflict((conflict) => conflict.column('identity').doNothing())
        .returning('position')
        .executeTakeFirst();
      if (inserted) return { position, isNew: true };
      // The same identity registered while this call waited for the lock.
      await givePositionBack();
      return { position: (await findPosition(identity))!, isNew: false };
    },
  };
}

/** An agent is identified by wallet, a person by email address. */
function identityOf(entry: WaitlistEntry): string {
  const name = entry.type === 'agent' ? entry.wallet : entry.email;
  return `${entry.type}:${(name ?? '').toLowerCase()}`;
}
