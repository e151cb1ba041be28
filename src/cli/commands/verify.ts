// Checks sealed forecasts: a downloaded file offline, or the store against its own log.

import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createTallycast } from '../../../packages/client-js/src/index.ts';
import { describeResult, verifyFile } from '../../../scripts/verify-seals.mjs';
import { loadConfig } from '../../config/config.ts';
import { MINUTE_MS, plural } from '../../domain/units.ts';
import { errorMessage, StartError, UsageError } from '../../runtime/errors.ts';
import { writeSummary } from '../../sealing/wire.ts';
import { readWordsAndOptions, required } from '../arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../command.ts';
import { withStore } from '../open-configured-store.ts';
import { verifyStore } from '../verify-store.ts';

export const usage = `usage: npx tallycast verify FILE [--known CHAIN] [--fetch [--url URL] [--key KEY]]
       npx tallycast verify --store [settings]

Check that no sealed forecast was removed, changed, reordered or added later. A file is checked offline, by
scripts/verify-seals.mjs, which also runs on its own. docs/record.md defines "intact". Exits 1 if the check
fails.

  --known CHAIN   a chain hash that you saved earlier or got from an anchor; repeatable
  --fetch         first download all sealed hours of a running service into FILE
  --url URL       service address (TALLYCAST_URL, default http://127.0.0.1:8080)
  --key KEY       API key (TALLYCAST_KEY); a PRO key includes forecasts of open events
  --store         check the configured store: its seals, and that forecasts and signals match them

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
    const { problems, hours, entries } = await withStore(config, (store) =>
      verifyStore(store, terminal.clock.now()),
    );
    for (const problem of problems) print(terminal, problem);
    if (problems.length > 0) return FAILED;
    print(
      terminal,
      `intact: ${plural(hours, 'sealed hour')}, ${entries} entries; forecasts and signals match`,
    );
    return DONE;
  }
  const { positionals, values } = readWordsAndOptions(args, 1, OPTIONS);
  const file = required(positionals[0], 'FILE');
  if (values.fetch) {
    const url = values.url ?? (terminal.env.TALLYCAST_URL || 'http://127.0.0.1:8080');
    const key = values.key ?? (terminal.env.TALLYCAST_KEY || undefined);
    const hours = await fetchSeals(file, url, key, values.known !== undefined);
    if (hours === 0 && values.known === undefined) {
      note(terminal, 'the service has not sealed an hour yet: nothing to verify');
      return FAILED;
    }
    note(terminal, `${plural(hours, 'sealed hour')} written to ${file}`);
  }
  const result = await verifyFile(file, values.known);
  for (const line of describeResult(result)) print(terminal, line);
  return result.answer === 'broken' ? FAILED : DONE;
};

/** At 200 hours a page, more than 20 years. */
const MAX_PAGES = 1_000;
const DEADLINE_MS = 60 * MINUTE_MS;

export interface FetchLimits {
  maxPages: number;
  deadlineMs: number;
}

/**
 * Returns the number of hours written. The file is replaced only by a complete download, and by one without hours
 * only if a chain is known, which proves that there were some.
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
  const part = `${file}.part`;
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
    renameSync(part, file);
    return hours.length;
  } catch (error) {
    throw new StartError(
      `the download stopped after ${plural(hours.length, 'hour')}: ${errorMessage(error)}`,
      error,
    );
  } finally {
    rmSync(part, { force: true });
  }
}
