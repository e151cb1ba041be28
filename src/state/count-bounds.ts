// The range our count lies in while some posts are undecided.

import type { EventState } from './snapshot.ts';

/** Empty when every post is decided. */
export function presentBounds({ counters, doubt }: EventState): {
  real_counter_low?: number;
  real_counter_high?: number;
} {
  if (!doubt || counters.real === null) return {};
  return {
    real_counter_low: counters.real - doubt.counted,
    real_counter_high: counters.real + doubt.uncounted,
  };
}
