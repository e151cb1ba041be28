// Fencing: each new leader raises its part's epoch, and the store refuses writes made under an older epoch.

import type { Kysely } from 'kysely';
import { UNDIVIDED } from '../domain/shard.ts';
import { StoreError } from '../runtime/errors.ts';
import type { Connection } from './engine.ts';
import type { Database } from './schema.ts';

/** What a write was made under. */
export interface Fence {
  /** A shard, or UNDIVIDED. */
  part: number;
  epoch: number;
}

/** A separate class, because the process that gets it must stop leading. */
export class LostLeadershipError extends StoreError {
  constructor(message: string) {
    super(message, { isRetryable: false });
  }
}

export function rowOf(part: number): number {
  return part + 1;
}

/** Reads without locking. */
export async function readEpoch(db: Kysely<Database>, part: number): Promise<number> {
  const { epoch } = await db
    .selectFrom('leadership')
    .select('epoch')
    .where('id', '=', rowOf(part))
    .executeTakeFirstOrThrow();
  return epoch;
}

export async function assertStillLeads({ db, engine }: Connection, own: readonly Fence[]): Promise<void> {
  const epochs = await engine.holdEpochs(
    db,
    own.map(({ part }) => part),
  );
  for (const [i, { part, epoch }] of own.entries()) {
    if (epochs[i] === epoch) continue;
    const name = part === UNDIVIDED ? '' : ` of shard ${part}`;
    throw new LostLeadershipError(`no longer the leader${name}: epoch ${epoch} was replaced by ${epochs[i]}`);
  }
}
