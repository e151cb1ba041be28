// Issues keys in a data folder before its service starts, using the code of the revision under test, because
// store schemas differ.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../core/processes.ts';

export interface IssuedKeys {
  INTERNAL: string;
  PRO: string[];
  FREE: string[];
}

/** Current and former location of the module. */
const KEY_SERVICES = ['src/access/key-service.ts', 'src/access/key-commands.ts'];

export async function issueKeys(
  dataDir: string,
  proKeys = 1,
  freeKeys = 0,
  root: string = ROOT,
): Promise<IssuedKeys> {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  const { createKeyService } = await load(KEY_SERVICES.find((path) => existsSync(join(root, path)))!);
  const { openStore } = await load('src/store/open-store.ts');
  const { systemClock } = await load('src/runtime/clock.ts');
  const { silentLogger } = await load('src/runtime/logger.ts');
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
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
