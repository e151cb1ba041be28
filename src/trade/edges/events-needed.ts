// How many settled events are needed before a bound on the weight of a gap exceeds zero.

import type { EdgeEvidence } from '../../domain/edge-evidence.ts';

/** One-sided 90 percent. */
const REACH = 1.2816;

/** null if the evidence contradicts that side: more of the same would not prove it. */
export function countEventsNeeded(evidence: EdgeEvidence, side: 'above' | 'below'): number | null {
  const k = side === 'above' ? 0 : 1;
  const mean = evidence.mean[k]!;
  if (mean <= 0 || evidence.informationPerEvent <= 0) return null;
  const known = 1 / evidence.covariance[k]![k]!;
  const wanted = (REACH / mean) ** 2;
  return evidence.events + Math.ceil(Math.max(0, wanted - known) / evidence.informationPerEvent);
}
