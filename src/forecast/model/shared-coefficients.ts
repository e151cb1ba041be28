// Coefficients and weights shared by 14 public accounts, fitted to their posts of 2019 to 2022 (`lab forecast
// fit` repeats the fit): how the remaining count departs from the core's mean, and initial weights of the members.
// Coefficients are halved, because accounts differ in how far they revert.

import type { MemberName } from './member-names.ts';

/** Horizons at which weights are learned; others are interpolated in ln horizon. */
export const WEIGHT_HOURS = [6, 24, 72, 168] as const;
export type WeightHours = (typeof WEIGHT_HOURS)[number];

export interface SharedKnowledge {
  /** By horizon in hours; coefficients in the order of the session features. */
  session: Readonly<Record<number, readonly number[]>>;
  /** By horizon in hours: reversion of the core's mean, per ln of each pair of neighbouring rates (1.5 to 90 days). */
  reversion: readonly { hours: number; beta: readonly number[] }[];
  /** Initial weights of every account. */
  weights: Readonly<Record<WeightHours, Readonly<Record<MemberName, number>>>>;
}

const SESSION: SharedKnowledge['session'] = {
  1: [
    -0.171, -0.089, 0.014, 0.076, 0.039, 0.002, -0.107, -0.073, 0.03, -0.227, 0.12, -0.061, 0.112, -0.034,
    -0.07, -0.155, -0.042, 0.017, -0.05, -0.024, -0.046, 0.004, -0.045, -0.053, -0.509, -0.135,
  ],
  3: [
    -0.08, -0.054, 0.009, 0.059, 0.014, 0.015, -0.062, -0.066, 0.041, -0.157, 0.072, -0.02, 0.049, -0.05,
    -0.022, -0.113, -0.012, -0.022, -0.025, -0.037, -0.032, 0.012, 0.006, -0.17, -0.3, -0.09,
  ],
  6: [
    -0.067, -0.061, 0.004, 0.057, -0.002, 0.022, -0.039, -0.077, 0.026, -0.115, 0.063, 0.003, 0.037, -0.074,
    -0.002, -0.048, 0.025, -0.033, -0.008, -0.019, 0.011, -0.056, 0.063, -0.218, -0.239, -0.081,
  ],
  12: [
    -0.018, -0.052, -0.003, 0.036, 0.006, 0.027, -0.039, -0.051, 0.017, -0.087, 0.053, 0.014, 0.026, -0.018,
    0.034, -0.006, 0.023, 0.001, 0.011, 0.009, 0.001, -0.113, 0.117, -0.319, -0.15, -0.087,
  ],
  24: [
    0.013, -0.026, 0.005, 0.023, 0.011, 0.025, -0.027, -0.041, 0.017, -0.04, 0.022, 0.004, 0.022, 0.008,
    0.022, -0.003, -0.002, -0.004, 0.008, 0.001, -0.004, -0.191, 0.159, -0.337, -0.158, -0.065,
  ],
  72: [
    -0.012, 0, 0.011, 0.019, 0.011, 0.018, 0.001, -0.005, 0.018, -0.01, 0.011, 0.003, 0.007, -0.003, 0.001,
    -0.002, -0.004, 0.003, 0, -0.002, 0.001, -0.325, 0.307, -0.495, -0.188, -0.057,
  ],
  168: [
    -0.024, -0.004, 0.008, 0.017, 0.01, 0.018, -0.005, 0.004, 0.028, -0.013, 0.014, 0.007, 0.012, 0, 0,
    -0.004, -0.004, 0.002, 0.001, 0, 0, -0.353, 0.399, -0.615, -0.236, -0.061,
  ],
};

const REVERSION: SharedKnowledge['reversion'] = [
  { hours: 24, beta: [0.043, 0.084, -0.213, -0.191, -0.036] },
  { hours: 72, beta: [-0.193, 0.272, -0.437, -0.202, -0.054] },
  { hours: 168, beta: [-0.251, 0.385, -0.57, -0.248, -0.054] },
];

const WEIGHTS: SharedKnowledge['weights'] = {
  6: { core: 0.1, reverting: 0.05, session: 0.5, memories: 0.33, fixed: 0, calm: 0.02 },
  24: { core: 0.26, reverting: 0.18, session: 0.3, memories: 0.18, fixed: 0.06, calm: 0.02 },
  72: { core: 0.27, reverting: 0.2, session: 0.22, memories: 0.14, fixed: 0.14, calm: 0.03 },
  168: { core: 0.27, reverting: 0.2, session: 0.18, memories: 0.16, fixed: 0.16, calm: 0.03 },
};

export const SHARED_KNOWLEDGE: SharedKnowledge = {
  session: SESSION,
  reversion: REVERSION,
  weights: WEIGHTS,
};
