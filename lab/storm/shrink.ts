// Finds the shortest history that still fails: cuts scenes from the end, then drops single scenes, then
// single actions.

import type { Scene } from './scene.ts';

export type Fails = (history: readonly Scene[]) => Promise<boolean>;

/** Limits the search, because every attempt is a whole storm. */
const MAX_ATTEMPTS = 200;

/** Returns the original history if it does not fail again. */
export async function shrinkHistory(history: readonly Scene[], fails: Fails): Promise<readonly Scene[]> {
  let attempts = 0;
  const stillFails: Fails = async (shorter) => {
    attempts += 1;
    return attempts <= MAX_ATTEMPTS && fails(shorter);
  };
  if (!(await stillFails(history))) return history;
  const prefix = await cutEnd(history, stillFails);
  const scenes = await leaveOut(prefix, (shorter) => stillFails(shorter));
  return thinScenes(scenes, stillFails);
}

/** Binary search for the shortest failing prefix. */
async function cutEnd(history: readonly Scene[], fails: Fails): Promise<readonly Scene[]> {
  let [sound, failing] = [0, history.length];
  while (failing - sound > 1) {
    const middle = Math.floor((sound + failing) / 2);
    if (await fails(history.slice(0, middle))) failing = middle;
    else sound = middle;
  }
  return history.slice(0, failing);
}

/** Drops one element at a time as long as the history still fails. */
async function leaveOut<T>(
  items: readonly T[],
  fails: (shorter: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let at = kept.length - 1; at >= 0; at--) {
    const shorter = kept.toSpliced(at, 1);
    if (await fails(shorter)) kept = shorter;
  }
  return kept;
}

async function thinScenes(history: readonly Scene[], fails: Fails): Promise<readonly Scene[]> {
  let scenes = history;
  for (const index of history.keys()) {
    const inPlace = (change: Partial<Scene>) => scenes.with(index, { ...scenes[index]!, ...change });
    const deeds = await leaveOut(scenes[index]!.deeds, (fewer) => fails(inPlace({ deeds: [...fewer] })));
    scenes = inPlace({ deeds: [...deeds] });
    const faults = await leaveOut(scenes[index]!.simulatorFaults, (fewer) =>
      fails(inPlace({ simulatorFaults: [...fewer] })),
    );
    scenes = inPlace({ simulatorFaults: [...faults] });
  }
  return scenes;
}
