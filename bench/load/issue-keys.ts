// Keys in a data folder before its service starts.

import { createKeyDesk } from '../../src/api/access/key-desk.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';

export interface IssuedKeys {
  INTERNAL: string;
  PRO: string[];
  FREE: string[];
}

export async function issueKeys(dataDir: string, proKeys = 1, freeKeys = 0): Promise<IssuedKeys> {
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  const desk = createKeyDesk(store.keys, systemClock);
  const issue = async (tier: keyof IssuedKeys) => (await desk.issue({ tier, label: 'bench' })).key;
  const issueMany = (tier: keyof IssuedKeys, length: number) =>
    Promise.all(Array.from({ length }, () => issue(tier)));
  const PRO = await issueMany('PRO', proKeys);
  const FREE = await issueMany('FREE', freeKeys);
  const INTERNAL = await issue('INTERNAL');
  await store.close();
  return { INTERNAL, PRO, FREE };
}
