/**
 * Hours before an event's end at which forecasts and signals are scored and stored permanently, earliest
 * first.
 */
export const SCORED_HORIZONS_H = [72, 48, 24, 6] as const;
