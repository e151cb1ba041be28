// Fencing: each new leader raises the epoch, and the store refuses writes made under an older epoch.

import type { Kysely } from 'kysely';
import { StoreError } from '../runtime/errors.ts';
import type { Connection } from './engine.ts';
import type { Database } from './schema.ts';

const ROW_ID = 1;

/** A separate class, because the process that gets it must stop leading. */
export class LostLeadershipError extends StoreError {
  constructor(message: string) {
    super(message, { isRetryable: false });
  }
}

export function selectEpoch(db: Kysely<Database>) {
  return db.selectFrom('leadership').select('epoch').where('id', '=', ROW_ID);
}

/** Reads without locking. */
export async function readEpoch(db: Kysely<Database>): Promise<number> {
  const { epoch } = await selectEpoch(db).executeTakeFirstOrThrow();
  return epoch;
}

export async function assertStillLeads({ db, engine }: Connection, ownEpoch: number): Promise<void> {
  const epoch = await engine.holdEpoch(db);
  if (epoch === ownEpoch) return;
  throw new LostLeadershipError(`no longer the leader: epoch ${ownEpoch} was replaced by ${epoch}`);
}
