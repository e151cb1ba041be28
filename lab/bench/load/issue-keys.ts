// Issues keys in a data folder before its service starts.

import { createKeyService } from '../../../src/access/key-service.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { openStore } from '../../../src/store/open-store.ts';

export interface IssuedKeys {
  INTERNAL: string;
  PRO: string[];
  FREE: string[];
}

interface KeyPlace {
  dataDir: string;
  databaseUrl?: string;
}

export async function issueKeys(place: KeyPlace, proKeys = 1, freeKeys = 0): Promise<IssuedKeys> {
  const store = await openStore({ ...place, clock: systemClock, logger: silentLogger });
  const keyService = createKeyService(store.keys, systemClock);
  const issue = async (tier: keyof IssuedKeys): Promise<string> =>
    (await keyService.issue({ tier, label: 'bench' })).key;
  const issueMany = (tier: keyof IssuedKeys, length: number) =>
    Promise.all(Array.from({ length }, () => issue(tier)));
  const PRO = await issueMany('PRO', proKeys);
  const FREE = await issueMany('FREE', freeKeys);
  const INTERNAL = await issue('INTERNAL');
  await store.close();
  return { INTERNAL, PRO, FREE };
}
