// The API and the page on a hand-written board and store: nothing changes unless the test changes it.

import { fileURLToPath } from 'node:url';
import { ACCOUNTS } from '../api/fixture.ts';
import { type Harness, type HarnessOptions, startHarness } from '../api/harness.ts';
import { buildPageIfMissing, type TestService } from './service.ts';

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

export type StillService = Harness & Pick<TestService, 'url' | 'keyOf'>;

export async function openStillService(options: HarnessOptions = {}): Promise<StillService> {
  buildPageIfMissing();
  const settings = { ...options.settings, webRoot: WEB_ROOT };
  const harness = await startHarness({ ...options, settings });
  for (const { accountId } of options.accounts ?? ACCOUNTS) {
    const events = harness.board.find(accountId)?.events ?? [];
    if (events.length > 0) await harness.store.events.upsert(events.map(({ event }) => event));
  }
  return {
    ...harness,
    url: `http://127.0.0.1:${harness.port}`,
    keyOf: (tier) => (tier === 'PUBLIC' ? null : harness.keys[tier]),
  };
}

/** The two widths and colour schemes of every page test. */
export const SCREENS = [
  { name: '390 px in dark mode', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: '1440 px in light mode', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
] as const;
