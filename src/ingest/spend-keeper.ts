// Persists the cost of paid platforms across restarts, so that a monthly cap holds for the whole month.

import type { SpendMeter } from '../sources/spend-meter.ts';
import type { CursorStore } from '../store/ports.ts';

export interface SpendKeeper {
  /** Saves meters that have changed. */
  save(): Promise<void>;
}

export async function openSpendKeeper(
  meters: readonly SpendMeter[],
  cursors: CursorStore,
): Promise<SpendKeeper> {
  const savedRevisions = new Map<SpendMeter, number>();
  for (const meter of meters) {
    const saved = await cursors.find(cursorOf(meter));
    if (saved !== undefined) meter.restore(saved);
    savedRevisions.set(meter, meter.revision);
  }
  return {
    async save() {
      for (const meter of meters) {
        const { revision } = meter;
        if (savedRevisions.get(meter) === revision) continue;
        await cursors.put(cursorOf(meter), meter.save());
        savedRevisions.set(meter, revision);
      }
    },
  };
}

function cursorOf({ name }: SpendMeter): string {
  return `spend:${name}`;
}
