// Facts that must always hold, checked at run time. A violation is a bug in our code: it is counted, logged
// and reported to the operator, and the service continues. In a storm run it fails the run.

import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** What each violation means, by name. */
export const INVARIANTS = {
  'count-fell': 'a count fell without a recorded deletion or correction',
  'stale-advice': 'advice was given on stale input',
  'books-unbalanced': 'the books do not balance',
  'chain-broken': 'a seal does not follow the previous one',
} as const;

export type InvariantName = keyof typeof INVARIANTS;

export interface Violation {
  name: InvariantName;
  details: object;
}

const listeners = new Set<(violation: Violation) => void>();

/** Costs one comparison while the invariant holds; `details` is called only on a violation. */
export function expectInvariant(name: InvariantName, holds: boolean, details: () => object): void {
  if (holds) return;
  const violation = { name, details: details() };
  for (const listener of listeners) listener(violation);
}

/** Returns a function that unsubscribes. */
export function onViolation(listener: (violation: Violation) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls the listener once per name, so that a listener that causes another violation cannot loop. */
export function onFirstViolation(listener: (name: InvariantName) => void): () => void {
  const seen = new Set<InvariantName>();
  return onViolation(({ name }) => {
    if (seen.has(name)) return;
    seen.add(name);
    listener(name);
  });
}

export interface InvariantWatch {
  /** Violations since the start, for every name. */
  readonly counts: ReadonlyMap<InvariantName, number>;
  /** Messages for the operator; empty if there are no violations. */
  problems(): string[];
  stop(): void;
}

/** Limits logging, because a broken invariant may be violated by every request. */
const LOG_EVERY_MS = 3_600_000;

export function watchInvariants(logger: Logger, clock: Pick<Clock, 'now'>): InvariantWatch {
  const names = Object.keys(INVARIANTS) as InvariantName[];
  const counts = new Map(names.map((name) => [name, 0]));
  const loggedTs = new Map<InvariantName, number>();
  const stop = onViolation(({ name, details }) => {
    counts.set(name, counts.get(name)! + 1);
    const nowTs = clock.now();
    if (nowTs - (loggedTs.get(name) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    loggedTs.set(name, nowTs);
    logger.error({ invariant: name, ...details }, `invariant violated: ${INVARIANTS[name]}`);
  });
  return {
    counts,
    problems: () => names.filter((name) => counts.get(name)! > 0).map(describeViolation),
    stop,
  };
}

export function describeViolation(name: InvariantName): string {
  return `invariant violated: ${INVARIANTS[name]}`;
}
