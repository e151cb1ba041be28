// Seals every finished hour, oldest first, and sends the newest seal to the anchors.

import { hourOf } from '../../domain/book.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import type { Logger } from '../../runtime/logger.ts';
import { follows, type Seal } from '../../sealing/seal.ts';
import type { Store } from '../../store/ports.ts';
import { createJob, type Job } from '../job.ts';

/** An external service that stores seals. Rejects on failure. */
export interface Anchor {
  readonly name: string;
  keep(seal: Seal): Promise<void>;
}

export interface SealingOptions {
  store: Pick<Store, 'seals'>;
  anchors?: readonly Anchor[];
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
  const { store, anchors = [], clock, logger } = options;
  let kept: Map<string, number> | null = null;
  /** The newest seal that has been checked. */
  let last: Seal | undefined;

  async function run(): Promise<void> {
    const untilTs = hourOf(clock.now() - GRACE_MS);
    last ??= await store.seals.findNewest();
    for (let seal = await store.seals.sealNext(untilTs); seal; seal = await store.seals.sealNext(untilTs)) {
      logger.debug({ hourTs: seal.hourTs, entries: seal.size, chain: seal.chain }, 'hour sealed');
      await checkChain();
    }
    const newest = anchors.length > 0 ? await store.seals.findNewest() : undefined;
    if (newest) for (const anchor of anchors) await keepAt(anchor, newest);
  }

  /** Reads seals back from the store, because another leader may have sealed in the meantime. */
  async function checkChain(): Promise<void> {
    for (const seal of await store.seals.list(last?.hourTs ?? 0, SEALS_CHECKED)) {
      const { hourTs, firstSeq } = seal;
      expectInvariant('chain-broken', follows(last, seal), () => ({ hourTs, firstSeq }));
      last = seal;
    }
  }

  /** Anchors only the newest seal, because the chain covers every earlier hour. */
  async function keepAt(anchor: Anchor, seal: Seal): Promise<void> {
    kept ??= await readKept(seal);
    if (kept.get(anchor.name) === seal.hourTs) return;
    try {
      await anchor.keep(seal);
      kept.set(anchor.name, seal.hourTs);
      const { hourTs, chain } = seal;
      await store.seals.noteAnchor({ hourTs, anchor: anchor.name, chain, anchoredTs: clock.now() });
      logger.info({ anchor: anchor.name, hourTs }, 'seal anchored');
    } catch (error) {
      logger.warn({ anchor: anchor.name, error: errorMessage(error) }, 'anchoring failed; retrying');
    }
  }

  async function readKept({ hourTs }: Seal): Promise<Map<string, number>> {
    const known = await store.seals.listAnchors(hourTs, hourTs + 1);
    return new Map(known.map((each) => [each.anchor, each.hourTs]));
  }

  const periodMs = Math.max(PERIOD_MS, SECOND_MS * (options.timeScale ?? 1));
  return createJob({ ...options, name: 'sealing', periodMs, run });
}
