// Fencing: each new leader raises the epoch, and a write made under an older one is refused.

import type { Kysely } from 'kysely';
import { StoreError } from '../runtime/errors.ts';
import type { Connection } from './engine.ts';
import type { Database } from './schema.ts';

const ROW_ID = 1;

/** A separate error, because the process that gets it must stop leading. */
export class LostLeadershipError extends StoreError {
  constructor(message: string) {
    super(message, { isRetryable: false });
  }
}

export function selectEpoch(db: Kysely<Database>) {
  return db.selectFrom('leadership').select('epoch').where('id', '=', ROW_ID);
}

/** Does not block others. */
export async function readEpoch(db: Kysely<Database>): Promise<number> {
  const { epoch } = await selectEpoch(db).executeTakeFirstOrThrow();
  return epoch;
}

export async function assertStillLeads({ db, engine }: Connection, ownEpoch: number): Promise<void> {
  const epoch = await engine.holdEpoch(db);
  if (epoch === ownEpoch) return;
  throw new LostLeadershipError(`no longer the leader: epoch ${ownEpoch} was replaced by ${epoch}`);
}
