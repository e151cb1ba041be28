// Compacts each finished hour of archived order books into one block, one short write at a time.

import { hourOf } from '../domain/book.ts';
import { MINUTE_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Store } from '../store/ports.ts';
import { createJob, type Job } from './job.ts';

const PERIOD_MS = 10 * MINUTE_MS;
/** An hour's last entries are written a few seconds into the next hour. */
const SETTLED_MS = MINUTE_MS;
const HOURS_AT_ONCE = 500;

export function createBookCompaction(options: {
  store: Pick<Store, 'books'>;
  clock: Clock;
  logger: Logger;
}): Job {
  const { store, clock } = options;
  async function run(): Promise<void> {
    const loose = await store.books.listLoose(hourOf(clock.now() - SETTLED_MS), HOURS_AT_ONCE);
    for (const { eventId, hourTs } of loose) await store.books.compact(eventId, hourTs);
  }
  return createJob({ ...options, name: 'compact books', periodMs: PERIOD_MS, run });
}
