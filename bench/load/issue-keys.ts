// Keys in a data folder before its service starts.

import { createKeyDesk } from '../../src/api/access/key-desk.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';

export async function issueKeys(dataDir: string, proKeys = 1): Promise<{ INTERNAL: string; PRO: string[] }> {
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  const desk = createKeyDesk(store.keys, systemClock);
  const issue = async (tier: 'INTERNAL' | 'PRO') => (await desk.issue({ tier, label: 'bench' })).key;
  const PRO = await Promise.all(Array.from({ length: proKeys }, () => issue('PRO')));
  const INTERNAL = await issue('INTERNAL');
  await store.close();
  return { INTERNAL, PRO };
}
