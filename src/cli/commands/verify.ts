// Checks sealed forecasts: a downloaded file offline, or the store against its own log.

import {
  appendFileSync,
  createReadStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createTallycast } from '../../../packages/client-js/src/index.ts';
import { loadConfig } from '../../config/config.ts';
import { MINUTE_MS, plural } from '../../domain/units.ts';
import { errorMessage, StartError, UsageError } from '../../runtime/errors.ts';
import { describeResult, type Verification, verifySeals } from '../../sealing/verify-seals.ts';
import { writeSummary } from '../../sealing/wire.ts';
import { readWordsAndOptions, required } from '../arguments.ts';
import { type Command, DONE, FAILED, note, print, type Terminal } from '../command.ts';
import { withStore } from '../open-configured-store.ts';
import { verifyStore } from '../verify-store.ts';

export const usage = `usage: npx tallycast verify FILE [--known CHAIN] [--fetch [--url URL] [--key KEY]]
       npx tallycast verify --store [settings]

Check that no sealed forecast was removed, changed, reordered or added later. A file is checked offline.
docs/record.md defines "intact". Exits 1 if the check fails.

  --known CHAIN   a chain hash that you saved earlier; repeatable
  --fetch         download all sealed hours of a running service; they replace FILE only if they are intact and
                  continue the record in FILE
  --url URL       service address (TALLYCAST_URL, default http://127.0.0.1:8080)
  --key KEY       API key (TALLYCAST_KEY); a PRO key includes forecasts of open events
  --store         check the log of the configured store

examples:
  npx tallycast verify seals.jsonl --fetch
  npx tallycast verify seals.jsonl --known 5f0c…
  npx tallycast verify --store`;

const OPTIONS = {
  known: { type: 'string', multiple: true },
  fetch: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const;

export const run: Command['run'] = async (args, terminal) => {
  if (args.includes('--store')) {
    const config = loadConfig(
      args.filter((arg) => arg !== '--store'),
      terminal.env,
      'store',
    );
    if (config.rest.length > 0) throw new UsageError(`unexpected argument "${config.rest[0]}"`);
    const { problems, hours, entries } = await withStore(config, verifyStore);
    for (const problem of problems) print(terminal, problem);
    if (problems.length > 0) return FAILED;
    print(terminal, `intact: ${plural(hours, 'sealed hour')}, ${plural(entries, 'entry', 'entries')}`);
    return DONE;
  }
  const { positionals, values } = readWordsAndOptions(args, 1, OPTIONS);
  const file = required(positionals[0], 'FILE');
  if (!values.fetch) return report(await verifyFile(file, values.known), terminal);
  const url = values.url ?? (terminal.env.TALLYCAST_URL || 'http://127.0.0.1:8080');
  const key = values.key ?? (terminal.env.TALLYCAST_KEY || undefined);
  return fetchAndVerify(file, { url, key, known: values.known ?? [] }, terminal);
};

const CHUNK_BYTES = 2 ** 20;

function verifyFile(path: string, known?: readonly string[]): Promise<Verification> {
  return verifySeals(createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES }), known);
}

function report(result: Verification, terminal: Terminal): number {
  for (const line of describeResult(result)) print(terminal, line);
  return result.answer === 'broken' ? FAILED : DONE;
}

interface Download {
  url: string;
  key: string | undefined;
  known: readonly string[];
}

/** An earlier record in FILE is the evidence against a rewritten one, so it is replaced only by its continuation. */
async function fetchAndVerify(file: string, { url, key, known }: Download, terminal: Terminal) {
  const earlier = await readNewestChain(file);
  const chains = [...known, ...(earlier === null ? [] : [earlier])];
  const hours = await fetchSeals(file, url, key, chains.length > 0);
  if (hours === 0 && chains.length === 0) {
    note(terminal, 'the service has not sealed an hour yet: nothing to verify');
    return FAILED;
  }
  const part = partOf(file);
  const result = await verifyFile(part, chains);
  if (result.answer === 'broken') {
    const rejected = `${file}.rejected`;
    renameSync(part, rejected);
    const kept = earlier === null ? '' : ` ${file} still has the earlier record.`;
    note(terminal, `the download does not verify and is in ${rejected}.${kept}`);
  } else {
    renameSync(part, file);
    note(terminal, `${plural(hours, 'sealed hour')} written to ${file}`);
  }
  return report(result, terminal);
}

/** Of an earlier download; null if there is none. */
async function readNewestChain(file: string): Promise<string | null> {
  if (!existsSync(file) || statSync(file).size === 0) return null;
  const { answer, newest } = await verifyFile(file);
  if (answer === 'broken' || newest === null)
    throw new StartError(`${file} exists and is not an intact record. Rename it, or pass another FILE.`);
  return newest;
}

function partOf(file: string): string {
  return `${file}.part`;
}

/** At 200 hours a page, more than 20 years. */
const MAX_PAGES = 1_000;
const DEADLINE_MS = 60 * MINUTE_MS;

export interface FetchLimits {
  maxPages: number;
  deadlineMs: number;
}

/**
 * Downloads into FILE.part and returns the number of hours. Only a complete download is left there, and one
 * without hours only if a chain is known, which proves that there were some.
 */
export async function fetchSeals(
  file: string,
  url: string,
  apiKey: string | undefined,
  isChainKnown: boolean,
  { maxPages, deadlineMs }: FetchLimits = { maxPages: MAX_PAGES, deadlineMs: DEADLINE_MS },
): Promise<number> {
  const client = createTallycast({ url, apiKey });
  const options = { signal: AbortSignal.timeout(deadlineMs) };
  const hours: Parameters<typeof writeSummary>[0][number][] = [];
  const part = partOf(file);
  let isComplete = false;
  writeFileSync(part, '');
  try {
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null; pages++) {
      if (pages === maxPages) throw new Error(`the service lists more than ${maxPages} pages`);
      const page = await client.seals(cursor ? { cursor } : {}, options);
      for (const { hour_ts } of page.data) {
        const { data } = await client.sealedHour(hour_ts, {}, options);
        appendFileSync(part, `${JSON.stringify(data)}\n`);
        hours.push({ size: data.size, previous: data.previous, chain: data.chain });
      }
      cursor = page.next_cursor;
    }
    if (hours.length === 0 && !isChainKnown) return 0;
    appendFileSync(part, `${JSON.stringify(writeSummary(hours))}\n`);
    isComplete = true;
    return hours.length;
  } catch (error) {
    throw new StartError(
      `the download stopped after ${plural(hours.length, 'hour')}: ${errorMessage(error)}`,
      error,
    );
  } finally {
    if (!isComplete) rmSync(part, { force: true });
  }
}
