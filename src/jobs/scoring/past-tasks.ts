// How far back recomputed forecasts look.

export const LOOK_BACK_DAYS = 200;
/** The oldest event, plus the model's look-back before it. */
export const HISTORY_DAYS = LOOK_BACK_DAYS + 900;
/** Minimum days of posts before an origin to forecast from. */
export const LEAST_HISTORY_DAYS = 14;
