// Which routes are shed first under load.

/** Order of refusal under load: `costly` first, then `prepared` (served from cached bytes), `vital` never. */
export type RouteCost = 'vital' | 'prepared' | 'costly';
