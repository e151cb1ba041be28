// Posts the oracle has imported and counts: countable posts that existed when it checked.

import { hashNumbers } from '../chance.ts';
import type { FaultSwitch } from '../faults/fault-switch.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import { createSyncSchedule, type SyncSchedule } from './sync-schedule.ts';

export interface OracleBook {
  readonly schedule: SyncSchedule;
  /** When the oracle imports the post; null if never. Final once it is in the past. */
  importedTsOf(post: SimulatorPost): number | null;
  /** Imported by `asofTs` and created in [fromTs, toTs). */
  postsIn(fromTs: number, toTs: number, asofTs: number): SimulatorPost[];
  countIn(fromTs: number, toTs: number, asofTs: number): number;
}

export function createOracleBook(
  ledger: PostLedger,
  seedKey: number,
  anchorTs: number,
  faults: FaultSwitch,
  nowTs: () => number,
): OracleBook {
  const key = hashNumbers(seedKey, 0x0ac1e, ledger.process.key);
  const schedule = createSyncSchedule(key, anchorTs, faults);
  // Caches only final values: a later stall may still move a future import.
  const settled = new WeakMap<SimulatorPost, number | null>();

  function importedTsOf(post: SimulatorPost): number | null {
    const known = settled.get(post);
    if (known !== undefined) return known;
    const visibleTs = ledger.visibleTsOf(post);
    const importTs = schedule.importTs(visibleTs, post.createdTs);
    const deletedTs = ledger.deletedTsOf(post);
    const isSeen = deletedTs === null || deletedTs > importTs;
    if (importTs <= nowTs()) settled.set(post, isSeen ? importTs : null);
    return isSeen ? importTs : null;
  }

  function postsIn(fromTs: number, toTs: number, asofTs: number): SimulatorPost[] {
    return ledger.range(fromTs, toTs).filter((post) => {
      if (!post.isCounted) return false;
      const importedTs = importedTsOf(post);
      return importedTs !== null && importedTs <= asofTs;
    });
  }

  return {
    schedule,
    importedTsOf,
    postsIn,
    countIn: (fromTs, toTs, asofTs) => postsIn(fromTs, toTs, asofTs).length,
  };
}
