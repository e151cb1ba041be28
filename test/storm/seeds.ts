// Seeds that once found a fault, with what they found. Their events change whenever a fault is added to the
// storm, so one day of each runs here, and a hundred days in the nightly command (docs/operations.md).

export interface RememberedSeed {
  seed: number;
  days: number;
  engine: 'sqlite' | 'postgres';
  showed: string;
}

export const REMEMBERED_SEEDS: readonly RememberedSeed[] = [
  {
    seed: 2,
    days: 1,
    engine: 'sqlite',
    showed: 'requests held up while the machine slept were judged by when they were answered',
  },
  {
    seed: 1003,
    days: 1,
    engine: 'sqlite',
    showed: 'a post was not counted although its row was written: the answer was lost',
  },
  {
    seed: 1007,
    days: 1,
    engine: 'postgres',
    showed: 'the storm itself hung: a successor waited for the clock, and the clock for the successor',
  },
  {
    seed: 1018,
    days: 1,
    engine: 'postgres',
    showed: 'a recovered feed was expected to be stale: its outage ended before the check',
  },
  {
    seed: 1053,
    days: 1,
    engine: 'postgres',
    showed: 'the same, in the last second of an outage',
  },
];
