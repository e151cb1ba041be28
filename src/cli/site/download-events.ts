// Downloads the events and the dossiers of settled ones. A dossier is fetched again only after a correction.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Schemas, Tallycast } from '../../../packages/client-js/src/index.ts';
import { DAY_MS } from '../../domain/units.ts';
import { StartError } from '../../runtime/errors.ts';
import type { PublishedEvent } from './render-event.ts';
import type { SiteFolder } from './site-folder.ts';

export interface ListedEvent {
  account: string;
  event: Schemas['PastEvent'];
}

/** The service reveals sealed forecasts after this time, even if the event never settles. */
const REVEALED_AFTER_MS = 30 * DAY_MS;
const PAGE = 100;
const MAX_PAGES = 10_000;

export async function listEvents(client: Tallycast, accounts: readonly string[]): Promise<ListedEvent[]> {
  const lists = await Promise.all(accounts.map((account) => listOf(client, account)));
  return lists.flat();
}

async function listOf(client: Tallycast, account: string): Promise<ListedEvent[]> {
  // Segments become file names.
  if (!/^[\w-]{1,64}$/.test(account)) throw new StartError(`unusable account name "${account}"`);
  const events: ListedEvent[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: Schemas['PastEventsAnswer'] = await client.pastEvents(account, {
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    });
    events.push(...page.data.map((event) => ({ account, event })));
    cursor = page.next_cursor;
    if (cursor === null) return events;
  }
  throw new StartError(`the service lists more than ${MAX_PAGES} pages of events`);
}

/** Events with public forecasts. */
export function listPublic(events: readonly ListedEvent[], nowTs: number): number[] {
  const isPublic = ({ event }: ListedEvent) =>
    event.settlement !== null || event.end_ts + REVEALED_AFTER_MS <= nowTs;
  return events.filter(isPublic).map(({ event }) => event.event_id);
}

/** Settled events without a current dossier in the folder. */
export function listMissing(folder: SiteFolder, events: readonly ListedEvent[]): ListedEvent[] {
  return events.filter((listed) => listed.event.settlement && !isPublished(folder, listed));
}

/** Returns the number of dossiers written. */
export async function downloadDossiers(
  client: Tallycast,
  folder: SiteFolder,
  missing: readonly ListedEvent[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  let written = 0;
  for (const [i, { account, event }] of missing.entries()) {
    const { data } = await client.call('GET /history/{account}/{event_id}/dossier', {
      path: { account, event_id: String(event.event_id) },
      query: { view: 'public' },
    });
    if (data.dossier.posts !== undefined)
      throw new StartError(
        'the service sent PRO data, because it is older than this command. Leave out the key.',
      );
    onProgress(i + 1, missing.length);
    // The service reuses a dossier for a minute; the next run fetches the current one.
    if (data.dossier.settlement?.revision !== event.settlement?.revision) continue;
    folder.write(`${fileOf(account, event.event_id)}.json`, `${JSON.stringify(data)}\n`);
    written += 1;
  }
  return written;
}

function fileOf(account: string, eventId: number): string {
  if (!Number.isSafeInteger(eventId)) throw new StartError(`unusable event number ${eventId}`);
  return `events/${account}-${eventId}`;
}

function isPublished(folder: SiteFolder, { account, event }: ListedEvent): boolean {
  const file = folder.pathOf(`${fileOf(account, event.event_id)}.json`);
  if (!existsSync(file)) return false;
  const { dossier } = JSON.parse(readFileSync(file, 'utf8')) as Schemas['SignedDossier'];
  return dossier.settlement?.revision === event.settlement?.revision;
}

/** Every event in the folder, latest end first, also those that the service no longer lists. */
export function readPublished(folder: SiteFolder): PublishedEvent[] {
  return readdirSync(folder.pathOf('events'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const signed = JSON.parse(
        readFileSync(folder.pathOf(`events/${file}`), 'utf8'),
      ) as Schemas['SignedDossier'];
      return { name: file.replace(/\.json$/, ''), ...signed };
    })
    .sort(
      (left, right) =>
        right.dossier.end_ts - left.dossier.end_ts || right.dossier.event_id - left.dossier.event_id,
    );
}
