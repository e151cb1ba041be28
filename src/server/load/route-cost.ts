// Which routes are shed first under load.

/**
 * What refusing it saves under too much load: a `costly` route is refused first, one answered from bytes `prepared`
 * in advance when that was not enough, and `vital` never.
 */
export type RouteCost = 'vital' | 'prepared' | 'costly';
