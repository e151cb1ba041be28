// Checks the store's log: its sealed hours form a whole record, and its open hour is complete.

import { HOUR_MS } from '../domain/units.ts';
import { errorMessage } from '../runtime/errors.ts';
import { addToRunning, NO_SEAL, type Seal } from '../sealing/seal.ts';
import { SealVerifier } from '../sealing/verify-seals.ts';
import { writeHour, writeSummary } from '../sealing/wire.ts';
import type { Store } from '../store/ports.ts';

export interface StoreVerification {
  problems: string[];
  hours: number;
  /** With those of the open hour. */
  entries: number;
}

/** Number of hours read per query. */
const PAGE_HOURS = 100;

export async function verifyStore({ seals: log }: Pick<Store, 'seals'>): Promise<StoreVerification> {
  const verifier = new SealVerifier();
  const unreadable: string[] = [];
  const seals: Seal[] = [];
  for (;;) {
    const page = await log.list(seals.at(-1)?.hourTs ?? -HOUR_MS, PAGE_HOURS);
    if (page.length === 0) break;
    seals.push(...page);
    for (const { hourTs } of page) {
      try {
        verifier.add(writeHour((await log.findHour(hourTs))!));
      } catch (error) {
        const hour = new Date(hourTs).toISOString();
        unreadable.push(`entries for ${hour} cannot be read: ${errorMessage(error)}`);
      }
    }
  }
  if (seals.length > 0) verifier.add(writeSummary(seals));
  const { problems, revealed } = verifier.finish();
  const open = await log.readOpen();
  return {
    problems: [...unreadable, ...(seals.length > 0 ? problems : []), ...checkOpen(open, seals.at(-1))],
    hours: seals.length,
    entries: revealed + open.entries.length,
  };
}

type OpenLog = Awaited<ReturnType<Store['seals']['readOpen']>>;

function checkOpen(
  { chain, nextSeq, openHourTs, running, entries }: OpenLog,
  last: Seal | undefined,
): string[] {
  const firstSeq = last ? last.firstSeq + last.size : 1;
  const lastHourTs = Math.max(last ? last.hourTs + HOUR_MS : 0, entries.at(-1)?.hourTs ?? 0);
  const digest = entries.reduce((sum, { hourTs, entry }) => addToRunning(sum, hourTs, entry), chain);
  const isWhole =
    entries.every(({ seq }, i) => seq === firstSeq + i) &&
    nextSeq === firstSeq + entries.length &&
    openHourTs === lastHourTs &&
    digest === running;
  return [
    ...(chain === (last?.chain ?? NO_SEAL) ? [] : ['the newest seal does not match the end of the log']),
    ...(isWhole ? [] : ['unsealed entries were removed, changed or added']),
  ];
}
