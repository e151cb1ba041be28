// The order in which routes are shed under load.

/** `costly` is refused first, then `prepared` (served from cached bytes); `vital` is never refused. */
export type RouteCost = 'vital' | 'prepared' | 'costly';
