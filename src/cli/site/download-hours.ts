// Downloads sealed hours into one file that the verifiers read. Hours that are already in the file are kept;
// an interrupted download continues where it stopped.

import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Schemas, Tallycast } from '../../../packages/client-js/src/index.ts';
import { describeResult, verifyFile } from '../../../scripts/verify-seals.mjs';
import { StartError } from '../../runtime/errors.ts';
import type { LogEntry } from '../../sealing/entry.ts';
import { writeSummary } from '../../sealing/wire.ts';

type Seal = Schemas['Seal'];
type Hour = Schemas['SealedHour'];

export interface HourDownload {
  client: Tallycast;
  /** All seals of the service, oldest first. */
  seals: readonly Seal[];
  file: string;
  /** Events with public forecasts; the text of all other entries is withheld. null: the service withholds it. */
  publicEvents: ReadonlySet<number> | null;
  /** Whether entries may have been revealed since the last run. */
  hasNewTexts: boolean;
  onProgress(done: number, total: number): void;
}

export interface DownloadedHours {
  newest: Seal | null;
  fetched: number;
  hours: number;
  /** What the verifier says; null if nothing is sealed. */
  verdict: string | null;
}

const PAGE = 1_000;
/** More than 100 years. */
const MAX_PAGES = 1_000;

export async function downloadHours(download: HourDownload): Promise<DownloadedHours> {
  const { seals, file } = download;
  const [part, earlier] = [`${file}.part`, `${file}.resume`];
  keepLonger(part, earlier);
  if (seals.length === 0 && !existsSync(file)) return { newest: null, fetched: 0, hours: 0, verdict: null };
  const handle = await open(part, 'w');
  let fetched: number;
  try {
    fetched = await writeHours(download, readKept([earlier, file]), handle);
    await handle.appendFile(`${JSON.stringify(writeSummary(seals))}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const verdict = await check(part);
  renameSync(part, file);
  rmSync(earlier, { force: true });
  return { newest: seals.at(-1) ?? null, fetched, hours: seals.length, verdict };
}

/** The number of hours that a download fetches. */
export async function countMissing({ seals, file, hasNewTexts }: HourDownload): Promise<number> {
  let kept = 0;
  for await (const { isWithheld } of readKept([`${file}.part`, `${file}.resume`, file]))
    if (!(hasNewTexts && isWithheld)) kept += 1;
  return Math.max(0, seals.length - kept);
}

export async function listSeals(client: Tallycast): Promise<Seal[]> {
  const seals: Seal[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: Schemas['SealsAnswer'] = await client.seals({
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    });
    seals.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null) return seals;
  }
  throw new StartError(`the service lists more than ${MAX_PAGES} pages of seals`);
}

interface Kept {
  hourTs: number;
  chain: string;
  isWithheld: boolean;
  line: string;
}

async function writeHours(
  download: HourDownload,
  kept: AsyncGenerator<Kept>,
  handle: FileHandle,
): Promise<number> {
  const { seals } = download;
  let fetched = 0;
  let next = await kept.next();
  for (const [i, seal] of seals.entries()) {
    let line: string | null = null;
    if (!next.done && next.value.hourTs <= seal.hour_ts) {
      if (next.value.chain !== seal.chain) throw differs(next.value.hourTs);
      if (!(download.hasNewTexts && next.value.isWithheld)) line = next.value.line;
      next = await kept.next();
    }
    if (line === null) {
      line = await fetchHour(download, seal);
      fetched += 1;
      download.onProgress(i + 1, seals.length);
    }
    await handle.appendFile(`${line}\n`);
  }
  if (!next.done) throw differs(next.value.hourTs);
  return fetched;
}

function differs(hourTs: number): StartError {
  const hour = new Date(hourTs).toISOString().slice(0, 13);
  return new StartError(
    `the published hour ${hour} is not in the service's history: its history was changed or lost. The site was not changed.`,
  );
}

async function fetchHour({ client, publicEvents }: HourDownload, { hour_ts }: Seal): Promise<string> {
  const { data } = await client.sealedHour(hour_ts);
  const isPublic = (entry: string) => publicEvents === null || isAbout(entry, publicEvents);
  const entries = data.entries?.map(({ leaf, entry }) => ({
    leaf,
    entry: entry !== null && isPublic(entry) ? entry : null,
  }));
  return JSON.stringify({ ...data, entries });
}

function isAbout(entry: string, events: ReadonlySet<number>): boolean {
  const { event } = JSON.parse(entry) as LogEntry;
  return events.has(event);
}

/** Hours of the given files, oldest first; a later file continues an earlier one. */
async function* readKept(files: readonly string[]): AsyncGenerator<Kept> {
  let lastTs = -1;
  for (const file of files.filter((name) => existsSync(name))) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const hour = parseHour(line);
      if (!hour || hour.hour_ts <= lastTs) continue;
      lastTs = hour.hour_ts;
      const isWithheld = hour.entries?.some(({ entry }) => entry === null) ?? true;
      yield { hourTs: hour.hour_ts, chain: hour.chain, isWithheld, line };
    }
  }
}

/** Returns null for the closing line, and for a line that was cut off. */
function parseHour(line: string): Hour | null {
  try {
    const found = JSON.parse(line) as Partial<Hour>;
    return found.hour_ts === undefined ? null : (found as Hour);
  } catch {
    return null;
  }
}

function keepLonger(part: string, earlier: string): void {
  if (!existsSync(part)) return;
  if (existsSync(earlier) && statSync(earlier).size >= statSync(part).size) return;
  renameSync(part, earlier);
}

/** A record that does not verify is never published. */
async function check(part: string): Promise<string> {
  const result = await verifyFile(part);
  const lines = describeResult(result);
  if (result.answer !== 'intact')
    throw new StartError(
      `the service's seals do not verify, so the site was not changed:\n${lines.join('\n')}`,
    );
  return lines[0]!;
}
