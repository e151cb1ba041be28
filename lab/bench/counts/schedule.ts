// The fault schedule: seeded chapters, each with one total feed outage and several lesser faults, some
// overlapping; long oracle stalls; and slow-motion pauses.

import { HTTP_FEEDS } from '../../../simulator/faults/fault-registry.ts';
import { HOUR_MS } from '../../../src/domain/units.ts';
import type { Random } from '../../../src/runtime/random.ts';

/** An outage of all of a feed's sources, and what /health must report. */
export interface OutageKind {
  name: string;
  faults: readonly string[];
  /** segment/feed as in /health. */
  stale: readonly string[];
  /** The source also stalls randomly, so it may not recover when the outage ends. */
  mayStayStale?: boolean;
}

/** Outages in addition to those of the leading source. */
const OUTAGES: readonly OutageKind[] = [
  {
    name: 'oracle',
    faults: ['oracle-down'],
    stale: ['account_a/oracle', 'account_b/oracle'],
    mayStayStale: true,
  },
  {
    name: 'market',
    faults: ['gamma-down'],
    stale: ['account_a/market', 'account_b/market', 'account_a/ui', 'account_b/ui'],
  },
  {
    name: 'prices',
    faults: ['clob-down', 'market-ws-down'],
    stale: ['account_a/prices', 'account_b/prices'],
  },
];

export type Episode =
  | { kind: 'outage'; atMs: number; forMs: number; outage: OutageKind }
  | { kind: 'fault'; atMs: number; fault: string }
  /** Some real seconds, slow enough to capture a post that exists for only three seconds. */
  | { kind: 'slow-motion'; atMs: number };

/** Real seconds; multiply by the speed for simulated time. */
const CHAPTER_S = 28;
const OUTAGE_S = 13;
const STALL_MS = 40 * HOUR_MS;
const CHAPTERS_PER_SLOW_MOTION = 10;

/**
 * Schedules `lengthMs` of simulated time at `speed`; episodes are sorted by atMs, simulated time since the
 * start.
 */
export function drawSchedule(
  random: Random,
  lengthMs: number,
  speed: number,
  leadOutages: readonly OutageKind[],
): Episode[] {
  const chapterMs = CHAPTER_S * 1000 * speed;
  const chapters = Math.max(1, Math.floor(lengthMs / chapterMs));
  const outages = inRounds(random, [...leadOutages, ...OUTAGES], chapters);
  const lesser = lesserFaults(speed);
  const perChapter = Math.max(3, Math.ceil(lesser.length / chapters));
  const faults = inRounds(random, lesser, chapters * perChapter);
  const episodes: Episode[] = stallTimes(lengthMs).map((atMs) => ({
    kind: 'fault',
    atMs,
    fault: `oracle-stall=40h/40h`,
  }));
  for (let chapter = 0; chapter < chapters; chapter++) {
    const fromMs = chapter * chapterMs;
    const within = (fromS: number, toS: number) =>
      Math.round(fromMs + 1000 * speed * (fromS + (toS - fromS) * random.uniform()));
    episodes.push({
      kind: 'outage',
      atMs: within(1, 3),
      forMs: OUTAGE_S * 1000 * speed,
      outage: outages[chapter]!,
    });
    for (const fault of faults.slice(chapter * perChapter, (chapter + 1) * perChapter)) {
      const forS = Math.round(speed * (4 + 8 * random.uniform()));
      episodes.push({ kind: 'fault', atMs: within(0, 13), fault: `${fault}/${forS}s` });
    }
    // At the end of a chapter, when at most a stall is still active.
    if (chapter % CHAPTERS_PER_SLOW_MOTION === CHAPTERS_PER_SLOW_MOTION - 1 || chapter === chapters - 1) {
      episodes.push({ kind: 'slow-motion', atMs: fromMs + chapterMs - 1 });
    }
  }
  return episodes.sort((left, right) => left.atMs - right.atMs);
}

/**
 * Faults that degrade a feed without silencing it, and faults of feeds that /health never reports as stale.
 * Excludes partial forms of a total outage, which would end the outage.
 */
function lesserFaults(speed: number): string[] {
  // Long enough to matter in real time, short enough not to drop a response that takes several calls.
  const slowS = Math.round(speed * 0.1);
  return [
    ...HTTP_FEEDS.flatMap((feed) => [
      `${feed}-slow=${slowS}s`,
      `${feed}-html=0.3`,
      `${feed}-429=0.3`,
      `${feed}-truncated=0.3`,
    ]),
    'posts-duplicated=0.5',
    'posts-out-of-order=0.4',
    'posts-partial-pages=0.5',
    'posts-delete-fast=0.5',
    'clock-skew=3s',
    'market-ws-silent',
    'market-ws-down',
    'stream-silent',
    'stream-down',
    'polybolt-silent',
    'polybolt-down',
    'data-down',
    'oracle-jump=700',
    'oracle-drop=60',
    'oracle-empty=0.5',
    'gamma-empty=0.5',
    'gamma-jump=700',
    'gamma-no-count',
    'clob-ghost-book=0.5',
    'clob-no-book=0.3',
  ];
}

function stallTimes(lengthMs: number): number[] {
  const shares = lengthMs > 8 * STALL_MS ? [0.1, 0.45, 0.8] : [0.05];
  return shares.map((share) => Math.round(share * lengthMs));
}

/** Reshuffled every round; the last item of a round never starts the next. */
function inRounds<T>(random: Random, items: readonly T[], count: number): T[] {
  const drawn: T[] = [];
  while (drawn.length < count) {
    const left = [...items];
    while (left.length > 0) {
      const index = Math.floor(random.uniform() * left.length);
      if (left.length > 1 && left.length === items.length && left[index] === drawn.at(-1)) continue;
      drawn.push(...left.splice(index, 1));
    }
  }
  return drawn.slice(0, count);
}
