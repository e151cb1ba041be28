// Fencing: each new leader raises the epoch, and the store refuses writes made under an older one.

import type { Kysely } from 'kysely';
import { StoreError } from '../runtime/errors.ts';
import type { Connection } from './engine.ts';
import type { Database } from './schema.ts';

/** A separate class, because the process that gets it must stop leading. */
export class LostLeadershipError extends StoreError {
  constructor(message: string) {
    super(message, { isRetryable: false });
  }
}

/** Reads without locking. */
export async function readEpoch(db: Kysely<Database>): Promise<number> {
  const { epoch } = await db.selectFrom('leadership').select('epoch').executeTakeFirstOrThrow();
  return epoch;
}

export async function assertStillLeads({ db, engine }: Connection, own: number): Promise<void> {
  const epoch = await engine.holdEpoch(db);
  if (epoch !== own)
    throw new LostLeadershipError(`no longer the leader: epoch ${own} was replaced by ${epoch}`);
}
