// Checks the store against its log: the log must be complete and match the forecasts, signals and scores.

import { verifySeals } from '../../scripts/verify-seals.mjs';
import { HOUR_MS } from '../domain/units.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { LogEntry } from '../sealing/entry.ts';
import { addToRunning, NO_SEAL } from '../sealing/seal.ts';
import { writeHour, writeSummary } from '../sealing/wire.ts';
import type { SealedHour, Store } from '../store/ports.ts';
import { compareRows } from './compare-rows.ts';

export interface StoreVerification {
  problems: string[];
  hours: number;
  entries: number;
}

/** Where the sealed part of the log ends. */
interface LogEnd {
  hourTs: number;
  chain: string;
  nextSeq: number;
}

/** Number of hours read per query. */
const PAGE_HOURS = 100;
const START: LogEnd = { hourTs: -HOUR_MS, chain: NO_SEAL, nextSeq: 1 };

export async function verifyStore(store: Store, nowTs: number): Promise<StoreVerification> {
  const problems: string[] = [];
  const texts: string[] = [];
  let end = START;
  let hours = 0;
  for (;;) {
    const seals = await store.seals.list(end.hourTs, PAGE_HOURS);
    if (seals.length === 0) break;
    const page: SealedHour[] = [];
    for (const { hourTs } of seals) {
      try {
        page.push((await store.seals.findHour(hourTs))!);
      } catch (error) {
        problems.push(`entries for ${new Date(hourTs).toISOString()} cannot be read: ${errorMessage(error)}`);
      }
    }
    problems.push(...checkPage(page, end));
    texts.push(...page.flatMap(({ entries }) => entries));
    hours += seals.length;
    const last = seals.at(-1)!;
    end = { hourTs: last.hourTs, chain: last.chain, nextSeq: last.firstSeq + last.size };
  }
  const open = await store.seals.readOpen();
  problems.push(...checkOpen(open, end));
  const entries = [...texts, ...open.entries.map(({ entry }) => entry)].flatMap(parseEntry);
  problems.push(...(await compareRows(store, entries, nowTs)));
  return { problems, hours, entries: entries.length };
}

function checkPage(page: readonly SealedHour[], before: LogEnd): string[] {
  const [first] = page;
  const follows = first?.previous === before.chain && first.firstSeq === before.nextSeq;
  const hours = page.map((hour) => writeHour(hour));
  const lines = [...hours, writeSummary(hours)].map((line) => JSON.stringify(line));
  return [
    ...(follows ? [] : ['consecutive pages of hours do not match']),
    ...verifySeals(lines.join('\n')).problems,
  ];
}

type OpenLog = Awaited<ReturnType<Store['seals']['readOpen']>>;

function checkOpen({ chain, nextSeq, openHourTs, running, entries }: OpenLog, end: LogEnd): string[] {
  const lastHourTs = Math.max(end.hourTs + HOUR_MS, entries.at(-1)?.hourTs ?? 0);
  const digest = entries.reduce((sum, { hourTs, entry }) => addToRunning(sum, hourTs, entry), chain);
  const isWhole =
    entries.every(({ seq }, i) => seq === end.nextSeq + i) &&
    nextSeq === end.nextSeq + entries.length &&
    openHourTs === lastHourTs &&
    digest === running;
  return [
    ...(chain === end.chain ? [] : ['the newest seal does not match the end of the log']),
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
