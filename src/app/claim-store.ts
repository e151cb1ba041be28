// A store contains simulated data or live data, never both. The first start decides, and the other kind is
// refused: otherwise simulated events could be served as live, or live history mixed with simulated posts.

import { hasSimulatorState } from '../../simulator/state-file.ts';
import { DEMO_LABEL } from '../access/demo-key.ts';
import type { Config } from '../config/config.ts';
import { StartError } from '../runtime/errors.ts';
import type { Store, StoreOrigin } from '../store/ports.ts';

type ClaimConfig = Pick<Config, 'sources' | 'dataDir' | 'secrets'>;

export async function claimStore(config: ClaimConfig, store: Store): Promise<void> {
  const wanted: StoreOrigin = config.sources === 'live' ? 'live' : 'simulator';
  const origin = (await store.origin.find()) ?? (await claimUnmarked(config, store, wanted));
  if (origin !== wanted) throw new StartError(describeRefusal(config, origin));
}

/** Version 1.0 did not mark its stores, so simulated ones are recognised by their content. */
async function claimUnmarked(config: ClaimConfig, store: Store, wanted: StoreOrigin): Promise<StoreOrigin> {
  const isSimulated =
    (await hasDemoKeys(store)) || (store.engine === 'sqlite' && hasSimulatorState(config.dataDir));
  return store.origin.claim(isSimulated ? 'simulator' : wanted);
}

async function hasDemoKeys({ keys }: Store): Promise<boolean> {
  return (await keys.list()).some(({ label }) => label === DEMO_LABEL);
}

function describeRefusal({ dataDir, secrets }: ClaimConfig, origin: StoreOrigin): string {
  const place = secrets.databaseUrl === null ? `DATA_DIR: ${dataDir}` : 'DATABASE_URL: this database';
  const other = secrets.databaseUrl === null ? '--data-dir' : 'DATABASE_URL';
  return origin === 'simulator'
    ? `${place} holds simulated data. Start live sources with another ${other}.`
    : `${place} holds live data. Start the simulator with another ${other}, or configure live sources.`;
}
