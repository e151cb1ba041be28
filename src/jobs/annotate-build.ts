// Adds an annotation when the model version or the build has changed, to explain jumps in the track record.

import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/ports.ts';
import type { ModelIdentity } from './forecasting/forecast-record.ts';

const CURSOR = 'annotated-model';

/** Returns whether an annotation was added. */
export async function annotateBuild(
  store: Pick<Store, 'annotations' | 'cursors'>,
  { modelVersion, buildCommit }: ModelIdentity,
  clock: Clock,
): Promise<boolean> {
  const identity = `${modelVersion} ${buildCommit}`;
  const before = await store.cursors.find(CURSOR);
  if (before === identity) return false;
  const isNewModel = before?.split(' ')[0] !== modelVersion;
  const label = isNewModel ? `model ${modelVersion}` : `build ${buildCommit}`;
  await store.annotations.add({ ts: clock.now(), label, commit: buildCommit });
  await store.cursors.put(CURSOR, identity);
  return true;
}
