// Seeds that once found a fault, with a description of the fault. A seed's events change whenever a fault type is
// added to the storm, so one day of each runs here and a hundred days in the nightly command (docs/operations.md).

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
    showed: 'requests delayed while the machine slept were judged by their response time',
  },
  {
    seed: 1003,
    days: 1,
    engine: 'sqlite',
    showed: "a post was not counted although its row was written, because the store's response was lost",
  },
  {
    seed: 1007,
    days: 1,
    engine: 'postgres',
    showed: 'the storm itself hung, because a successor waited for the clock and the clock for the successor',
  },
  {
    seed: 1018,
    days: 1,
    engine: 'postgres',
    showed: 'a recovered feed was expected to be stale although its outage ended before the check',
  },
  {
    seed: 1053,
    days: 1,
    engine: 'postgres',
    showed: 'a recovered feed was expected to be stale in the last second of its outage',
  },
];
