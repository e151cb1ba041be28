// Seals every finished hour, oldest first.

import { hourOf, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import type { Logger } from '../../runtime/logger.ts';
import { follows, type Seal } from '../../sealing/seal.ts';
import type { Store } from '../../store/ports.ts';
import { createJob, type Job } from '../job.ts';

export interface SealingOptions {
  store: Pick<Store, 'seals'>;
  clock: Clock;
  logger: Logger;
  /** How many times faster than the wall clock `clock` runs. */
  timeScale?: number;
}

const PERIOD_MS = MINUTE_MS;
/** Entries from the end of an hour are written shortly after it. */
const GRACE_MS = MINUTE_MS;
const SEALS_CHECKED = 1_000;

export function createSealingJob(options: SealingOptions): Job {
  const { store, clock, logger } = options;
  /** The newest seal that has been checked. */
  let last: Seal | undefined;

  async function run(): Promise<void> {
    const untilTs = hourOf(clock.now() - GRACE_MS);
    last ??= await store.seals.findNewest();
    for (let seal = await store.seals.sealNext(untilTs); seal; seal = await store.seals.sealNext(untilTs)) {
      logger.debug({ hourTs: seal.hourTs, entries: seal.size, chain: seal.chain }, 'hour sealed');
      await checkChain();
    }
  }

  /** Reads seals back from the store, because another leader may have sealed in the meantime. */
  async function checkChain(): Promise<void> {
    for (const seal of await store.seals.list(last?.hourTs ?? 0, SEALS_CHECKED)) {
      const { hourTs, firstSeq } = seal;
      expectInvariant('chain-broken', follows(last, seal), () => ({ hourTs, firstSeq }));
      last = seal;
    }
  }

  const periodMs = Math.max(PERIOD_MS, SECOND_MS * (options.timeScale ?? 1));
  return createJob({ ...options, name: 'sealing', periodMs, run });
}
