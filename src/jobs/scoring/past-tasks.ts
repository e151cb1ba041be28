// How far back recomputed forecasts reach.

export const LOOK_BACK_DAYS = 200;
/** Covers the oldest event plus the model's look-back. */
export const HISTORY_DAYS = LOOK_BACK_DAYS + 900;
/** Minimum days of posts before an origin. */
export const LEAST_HISTORY_DAYS = 14;
