// A service's sealed record for the tests of the verifier, and a rewritten one.

import { writeEntry } from '../../src/sealing/entry.ts';
import { NO_SEAL, sealHour } from '../../src/sealing/seal.ts';
import { writeHour, writeSummary } from '../../src/sealing/wire.ts';
import { HOUR_MS, START_TS, sampleDraft } from '../store/samples.ts';

export const HOURS = 4;
export const ENTRIES = 5;

// biome-ignore lint/suspicious/noExplicitAny: forgeries have any shape
export type Loose = any;
export type Change = (text: string, hour: number, entry: number) => string;

/** A service's record; `change` edits entries before they are sealed, as a dishonest operator could. */
export function sealRecord(texts: readonly string[][], change: Change = (text) => text) {
  const hours: ReturnType<typeof sealOne>[] = [];
  for (const [h, own] of texts.entries()) {
    const entries = own.map((text, i) => change(text, h, i));
    hours.push(sealOne(h, entries, hours.at(-1)?.chain ?? NO_SEAL));
  }
  return hours;
}

export function sealOne(h: number, entries: string[], previous: string) {
  return { ...sealHour(START_TS + h * HOUR_MS, 1 + h * ENTRIES, entries, previous), entries };
}

export function writeTexts(): string[][] {
  return Array.from({ length: HOURS }, (_, h) =>
    Array.from({ length: ENTRIES }, (_, i) => {
      const hourTs = START_TS + h * HOUR_MS;
      return writeEntry(sampleDraft({ recordedTs: hourTs, asofTs: hourTs }), 1 + h * ENTRIES + i, hourTs);
    }),
  );
}

export const TEXTS = writeTexts();
export const RECORD = sealRecord(TEXTS);
export const OTHER = sealRecord(writeTexts());
export const NEWEST = RECORD.at(-1)!.chain;

export const wire = (record: typeof RECORD): Loose[] => record.map((hour) => writeHour(hour));
export const lines = (...documents: unknown[]) => documents.map((each) => JSON.stringify(each)).join('\n');
/** The forger writes a new closing line. */
export const close = (hours: Loose[]) => lines(...hours, writeSummary(hours.filter((hour) => hour?.chain)));

export const forge = (text: string) => text.replace('"event":101', '"event":102');
export const REWRITTEN = sealRecord(TEXTS, forge);
