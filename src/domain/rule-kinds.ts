// Kinds of alert rules, and the meaning of their thresholds.

export const RULE_KINDS = [
  'advice',
  'bucket_crossed',
  'activity',
  'counts_apart',
  'feed',
  'price_moved',
  'window',
  'settled',
] as const;

export type RuleKind = (typeof RULE_KINDS)[number];

export interface ThresholdRange {
  minimum: number;
  maximum: number;
  default: number;
  /** Thresholds must be a multiple of this, so that rules can share evaluations. */
  step: number;
  meaning: string;
}

export const THRESHOLDS: Readonly<Partial<Record<RuleKind, ThresholdRange>>> = {
  activity: { minimum: 15, maximum: 1_440, default: 120, step: 1, meaning: 'minutes of silence' },
  counts_apart: { minimum: 1, maximum: 100, default: 3, step: 1, meaning: 'posts' },
  price_moved: { minimum: 0.01, maximum: 0.5, default: 0.05, step: 0.01, meaning: 'price, in whole cents' },
  window: { minimum: 5, maximum: 1_440, default: 60, step: 1, meaning: 'minutes before the end' },
};

/** Why the threshold is invalid for this kind; null if it is valid. */
export function findThresholdFault(kind: RuleKind, threshold: number | undefined): string | null {
  const range = THRESHOLDS[kind];
  if (threshold === undefined) return null;
  if (!range) return `only applies to ${Object.keys(THRESHOLDS).join(', ')}`;
  const { minimum, maximum, step, meaning } = range;
  const steps = threshold / step;
  const isStep = Math.abs(steps - Math.round(steps)) < 1e-6;
  return threshold >= minimum && threshold <= maximum && isStep
    ? null
    : `for ${kind} (${meaning}) must be ${minimum} to ${maximum} in steps of ${step}`;
}

/** Rounds to whole steps, so that 0.07 and 0.07000000000000001 are equal. */
export function toSteps(kind: RuleKind, threshold: number | null): number | null {
  const range = THRESHOLDS[kind];
  return range ? Math.round((threshold ?? range.default) / range.step) : null;
}
