// Downloads all of a service's sealed hours into one file: one line per hour, then a closing line.

import { appendFileSync, writeFileSync } from 'node:fs';
import { createTallycast } from '../../packages/client-js/src/index.ts';
import { writeSummary } from '../sealing/wire.ts';

/** Returns the number of hours written. */
export async function fetchSeals(file: string, url: string, apiKey: string | undefined): Promise<number> {
  const client = createTallycast({ url, apiKey });
  const hours = [];
  writeFileSync(file, '');
  let cursor: string | null | undefined;
  do {
    const page = await client.seals(cursor ? { cursor } : {});
    for (const { hour_ts } of page.data) {
      const { data } = await client.sealedHour(hour_ts);
      appendFileSync(file, `${JSON.stringify(data)}\n`);
      const { entries = [], ...seal } = data;
      hours.push({ ...seal, entries: entries.map(() => null) });
    }
    cursor = page.next_cursor;
  } while (cursor);
  appendFileSync(file, `${JSON.stringify(writeSummary(hours))}\n`);
  return hours.length;
}
