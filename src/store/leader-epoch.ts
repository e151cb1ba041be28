// Fencing: each new leader raises the epoch, and a write made under an older one is refused. The check shares a
// lock on the epoch's row, so the next leader cannot begin while an older one's write is still being made.

import { StoreError } from '../runtime/errors.ts';
import type { Connection } from './engine.ts';

const ROW_ID = 1;

/** Told apart from other refusals, because the process that gets it has to stand down. */
export class LostLeadershipError extends StoreError {
  constructor(message: string) {
    super(message, { isRetryable: false });
  }
}

export async function assertStillLeads({ db, engine }: Connection, ownEpoch: number): Promise<void> {
  const query = db.selectFrom('leadership').select('epoch').where('id', '=', ROW_ID);
  const { epoch } = await (engine === 'postgres' ? query.forShare() : query).executeTakeFirstOrThrow();
  if (epoch === ownEpoch) return;
  throw new LostLeadershipError(`no longer the leader: epoch ${ownEpoch} was followed by ${epoch}`);
}

/** Begins a new epoch and returns it. */
export async function raiseEpoch({ db }: Connection): Promise<number> {
  const { epoch } = await db
    .updateTable('leadership')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', ROW_ID)
    .returning('epoch')
    .executeTakeFirstOrThrow();
  return epoch;
}
