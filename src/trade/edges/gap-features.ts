// The gap between model and market on one bucket, as features weighted by the evidence. The weight is how
// much of the gap to use: 0 is the market alone, 1 the model alone.

/** In nats; larger gaps add no information. */
const FARTHEST = 1.5;
const LEAST_PROBABILITY = 1e-4;
const MIDDLE_LEAD_H = 72;
const LEAD_SCALE_H = 96;
const BAND_SCALE = 4;

/** In this order: model above, model below, longer lead, larger gap, price band. */
export const FEATURE_COUNT = 5;

export function describeGap(model: number, market: number, leadHours: number): number[] {
  const log = (p: number) => Math.log(Math.max(LEAST_PROBABILITY, p));
  const gap = Math.min(FARTHEST, Math.max(-FARTHEST, log(model) - log(market)));
  const lead = Math.min(1, Math.max(-0.75, (leadHours - MIDDLE_LEAD_H) / LEAD_SCALE_H));
  return [
    Math.max(gap, 0),
    Math.min(gap, 0),
    gap * lead,
    (gap * Math.abs(gap)) / FARTHEST,
    log(market) / BAND_SCALE,
  ];
}
