// Writes the public record of a running service as plain files for any static host.

import { readFileSync } from 'node:fs';
import { createTallycast, RateLimitedError, type Tallycast } from '../../../packages/client-js/src/index.ts';
import { plural } from '../../domain/units.ts';
import { StartError, UsageError } from '../../runtime/errors.ts';
import { readWordsAndOptions, required, texts } from '../arguments.ts';
import { explainFailedCall, readUrl } from '../ask.ts';
import { type Command, DONE, FAILED, note, print, type Terminal } from '../command.ts';
import {
  downloadDossiers,
  listEvents,
  listMissing,
  listPublic,
  readPublished,
} from '../site/download-events.ts';
import { countMissing, downloadHours, type HourDownload, listSeals } from '../site/download-hours.ts';
import { renderEvent, renderEventList } from '../site/render-event.ts';
import { isSimulated, renderRecord } from '../site/render-record.ts';
import { openSiteFolder, readManifest, type SiteFolder } from '../site/site-folder.ts';
import { STYLESHEET } from '../site/stylesheet.ts';
import { toPrintableText } from '../text-table.ts';
import { drawProgress } from '../transfer-arguments.ts';

export const usage = `usage: npx tallycast site DIR [--url URL] [--key KEY]

Write the public record of a running service to DIR, as plain files for any static host: the record, trials,
settled events with signed dossiers, and every seal with the verifier. Run it again to add what is new; nothing
is removed. A record that does not verify is not published.

  --url URL   service address (TALLYCAST_URL, default http://127.0.0.1:8080)
  --key KEY   API key (TALLYCAST_KEY). Every dossier and sealed hour is one request, and without a PRO key only
              100 an hour are allowed. Only public data is written.

examples:
  npx tallycast site ./public --key tc_pro_...
  npx tallycast site ./public --url https://service.example --key tc_pro_...`;

export const run: Command['run'] = async (args, terminal) => {
  const { positionals, values } = readWordsAndOptions(args, 1, texts('url', 'key'));
  const folder = required(positionals[0], 'DIR');
  const url = readUrl(values.url ?? (terminal.env.TALLYCAST_URL || 'http://127.0.0.1:8080'));
  const apiKey = values.key ?? (terminal.env.TALLYCAST_KEY || undefined);
  readManifest(folder);
  try {
    await writeSite(createTallycast({ url, apiKey }), folder, apiKey === undefined ? url : null, terminal);
    return DONE;
  } catch (error) {
    if (error instanceof UsageError || error instanceof StartError) throw error;
    if ((error as NodeJS.ErrnoException).code !== undefined && !(error instanceof TypeError))
      throw new StartError(`${folder} cannot be written: ${(error as Error).message}`, error);
    note(terminal, toPrintableText(explain(error, url)));
    return FAILED;
  }
};

function explain(error: unknown, url: string): string {
  if (!(error instanceof RateLimitedError)) return explainFailedCall(error, url);
  return `${error.message}\nPass a PRO key with --key, or run the command again later: it continues where it stopped.`;
}

async function writeSite(
  client: Tallycast,
  path: string,
  publicUrl: string | null,
  terminal: Terminal,
): Promise<void> {
  const [config, record, instance] = await Promise.all([
    client.config(),
    client.record(),
    client.call('GET /instance-key', {}),
  ]);
  const folder = openSiteFolder(path, instance.data.key_id);
  const listed = await listEvents(
    client,
    config.accounts.map(({ segment }) => segment),
  );
  const publicEvents = listPublic(listed, record.timestamp);
  const download: HourDownload = {
    client,
    seals: await listSeals(client),
    file: folder.pathOf('seals.jsonl'),
    publicEvents: publicUrl === null ? new Set(publicEvents) : null,
    hasNewTexts: folder.mayReveal(publicEvents),
    onProgress: createProgress(terminal, 'sealed hours'),
  };
  const missing = listMissing(folder, listed);
  if (publicUrl !== null) await checkAllowance(publicUrl, missing.length + (await countMissing(download)));
  folder.begin();
  const hours = await downloadHours(download);
  const dossiers = await downloadDossiers(client, folder, missing, createProgress(terminal, 'dossiers'));
  const events = readPublished(folder);
  writePages(folder, { config, record, newestSeal: hours.newest, verdict: hours.verdict, events });
  folder.write('instance-key.json', `${JSON.stringify(instance.data)}\n`);
  folder.complete(publicEvents);
  const counts = `${plural(hours.hours, 'sealed hour')} (${hours.fetched} fetched), ${plural(events.length, 'event')} (${dossiers} fetched)`;
  print(terminal, `site written to ${path}: ${counts}`);
  if (hours.verdict !== null) print(terminal, `seals.jsonl is ${hours.verdict}`);
}

const PROBE_MS = 10_000;

/** Without a key, a long download would use up the allowance of this address and stop in the middle. */
async function checkAllowance(url: string, needed: number): Promise<void> {
  const request = { method: 'GET', redirect: 'error', signal: AbortSignal.timeout(PROBE_MS) } as const;
  // A service that does not respond is reported by the download.
  const response = await fetch(`${url}/api/v1/performance/seals?limit=1`, request).catch(() => null);
  await response?.body?.cancel();
  const left = response?.headers.get('x-ratelimit-remaining') ?? null;
  if (left === null || needed <= Number(left)) return;
  throw new StartError(
    `The site needs ${plural(needed, 'more request')}, but without a key ${left} are left this hour. ` +
      'Pass a PRO key with --key. Nothing was written.',
  );
}

const VERIFIER = new URL('../../../scripts/verify-seals.mjs', import.meta.url);

function writePages(folder: SiteFolder, data: Parameters<typeof renderRecord>[0]): void {
  const { record, events, config } = data;
  folder.write('style.css', STYLESHEET);
  folder.write('verify-seals.mjs', readFileSync(VERIFIER));
  folder.write('record.json', `${JSON.stringify(record)}\n`);
  for (const event of events)
    folder.write(`events/${event.name}.html`, renderEvent(event, record, isSimulated(config)));
  folder.write('events/index.html', renderEventList(events, record, isSimulated(config)));
  // Last, so that the page never links to files that are missing.
  folder.write('index.html', renderRecord(data));
}

const LINE_EVERY = 500;

function createProgress({ notes }: Terminal, name: string) {
  return (done: number, total: number) => {
    if (notes.isTTY) notes.write(drawProgress(done, total));
    else if (done % LINE_EVERY === 0) notes.write(`${name}: ${done} of ${total}\n`);
  };
}
