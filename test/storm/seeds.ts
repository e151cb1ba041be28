// Seeds that once showed something broken, kept for ever with what they showed.

export const REMEMBERED_SEEDS: readonly { seed: number; days: number; showed: string }[] = [
  {
    seed: 2,
    days: 1,
    showed: 'requests held up while the machine slept were judged by when they were answered',
  },
  {
    seed: 1003,
    days: 1,
    showed: 'a post was not counted whose row had been written though the answer was lost',
  },
];
