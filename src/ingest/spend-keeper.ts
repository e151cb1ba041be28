// Persists the cost of paid platforms across restarts, so that a monthly cap holds for the whole month. Each shard
// has its own meters; the others' costs count towards its cap.

import { SHARDS } from '../domain/shard.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SpendMeter } from '../sources/spend-meter.ts';
import type { CursorStore } from '../store/ports.ts';

export interface SpendKeeper {
  /** Saves meters that have changed; those of a shard at most once a second. */
  save(): Promise<void>;
  /** Saves meters that have changed, before a stop. */
  saveLast(): Promise<void>;
}

/** With shards, every page of hundreds of accounts asks for a save of thousands of ids. A crash forgets this much. */
const SHARD_SAVES_EVERY_MS = SECOND_MS;
/** How late a shard knows what the others have spent. */
const OTHERS_EVERY_MS = MINUTE_MS;

export async function openSpendKeeper(
  meters: readonly SpendMeter[],
  cursors: CursorStore,
  clock: Clock,
  shard?: number,
): Promise<SpendKeeper> {
  const savedRevisions = new Map<SpendMeter, number>();
  let othersReadTs = Number.NEGATIVE_INFINITY;
  let savedTs = Number.NEGATIVE_INFINITY;

  async function readOthers(): Promise<void> {
    if (shard === undefined || clock.now() - othersReadTs < OTHERS_EVERY_MS) return;
    othersReadTs = clock.now();
    for (const meter of meters) {
      const names = listCursors(meter.name).filter((name) => name !== cursorOf(meter.name, shard));
      const saved = await Promise.all(names.map((name) => cursors.find(name)));
      meter.noteElsewhere(saved.flatMap((text) => text ?? []));
    }
  }

  for (const meter of meters) {
    const saved = await cursors.find(cursorOf(meter.name, shard));
    if (saved !== undefined) meter.restore(saved);
    savedRevisions.set(meter, meter.revision);
  }
  await readOthers();

  async function saveLast(): Promise<void> {
    for (const meter of meters) {
      const { revision } = meter;
      if (savedRevisions.get(meter) === revision) continue;
      await cursors.put(cursorOf(meter.name, shard), meter.save());
      savedRevisions.set(meter, revision);
    }
  }

  return {
    async save() {
      if (shard !== undefined && clock.now() - savedTs < SHARD_SAVES_EVERY_MS) return;
      savedTs = clock.now();
      await saveLast();
      await readOthers();
    },
    saveLast,
  };
}

/** The first is that of a process without shards, which may have spent earlier this month. */
function listCursors(name: string): string[] {
  return [cursorOf(name), ...Array.from({ length: SHARDS }, (_, i) => cursorOf(name, i + 1))];
}

function cursorOf(name: string, shard?: number): string {
  return shard === undefined ? `spend:${name}` : `spend:${name}:${shard}`;
}
