// Names of the pool members, in mixing order.

/**
 * core: the state fitted to the account. reverting: the core with cross-account reversion after falls and
 * rises. session: the core's mean adjusted by the last hours. memories: the account's own regression on its
 * rates. fixed: a state with the same parameters for all accounts. calm: the three-month rate with its own
 * width.
 */
export const MEMBERS = ['core', 'reverting', 'session', 'memories', 'fixed', 'calm'] as const;
export type MemberName = (typeof MEMBERS)[number];
