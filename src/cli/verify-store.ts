// Checks the store against its log: the log must be complete and match the forecasts, signals and scores.

import { createVerifier } from '../../scripts/verify-seals.mjs';
import { HOUR_MS } from '../domain/units.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { LogEntry } from '../sealing/entry.ts';
import { addToRunning, NO_SEAL, type Seal } from '../sealing/seal.ts';
import { writeHour, writeSummary } from '../sealing/wire.ts';
import type { Store } from '../store/ports.ts';
import { compareWithLog } from './compare-with-log.ts';

export interface StoreVerification {
  problems: string[];
  hours: number;
  entries: number;
  /** Forecasts and signals from before the log, which only versions before 1.5.0 recorded. */
  unlogged: number;
}

/** Number of hours read per query. */
const PAGE_HOURS = 100;

export async function verifyStore(store: Store, nowTs: number): Promise<StoreVerification> {
  const verifier = createVerifier();
  const unreadable: string[] = [];
  const seals: Seal[] = [];
  const texts: string[] = [];
  for (;;) {
    const page = await store.seals.list(seals.at(-1)?.hourTs ?? -HOUR_MS, PAGE_HOURS);
    if (page.length === 0) break;
    seals.push(...page);
    for (const { hourTs } of page) {
      try {
        const hour = (await store.seals.findHour(hourTs))!;
        verifier.add(writeHour(hour));
        texts.push(...hour.entries);
      } catch (error) {
        unreadable.push(
          `entries for ${new Date(hourTs).toISOString()} cannot be read: ${errorMessage(error)}`,
        );
      }
    }
  }
  if (seals.length > 0) verifier.add(writeSummary(seals));
  const open = await store.seals.readOpen();
  const entries = [...texts, ...open.entries.map(({ entry }) => entry)].flatMap(parseEntry);
  const firstHourTs = seals[0]?.hourTs ?? open.entries[0]?.hourTs ?? null;
  const rows = await compareWithLog(store, { entries, firstHourTs }, nowTs);
  const problems = [
    ...unreadable,
    ...(seals.length > 0 ? verifier.finish().problems : []),
    ...checkOpen(open, seals.at(-1)),
    ...rows.problems,
  ];
  return { problems, hours: seals.length, entries: entries.length, unlogged: rows.unlogged };
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

/** Unreadable entries have already been reported with their hour. */
function parseEntry(text: string): LogEntry[] {
  try {
    return [JSON.parse(text) as LogEntry];
  } catch {
    return [];
  }
}
