// Persists the cost of paid platforms across restarts, so that a monthly cap holds for the whole month.

import type { SpendMeter } from '../../sources/spend-meter.ts';
import type { CursorStore } from '../../store/ports.ts';

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
    const saved = await cursors.find(spendCursor(meter.name));
    if (saved !== undefined) meter.restore(saved);
    savedRevisions.set(meter, meter.revision);
  }
  return {
    async save() {
      for (const meter of meters) {
        const { revision } = meter;
        if (savedRevisions.get(meter) === revision) continue;
        await cursors.put(spendCursor(meter.name), meter.save());
        savedRevisions.set(meter, revision);
      }
    },
  };
}

function spendCursor(name: string): string {
  return `spend:${name}`;
}
