// How many settled events it takes for the bound on a gap's weight to exceed zero.

import type { EdgeEvidence } from '../../domain/edge-evidence.ts';

/** Normal quantile for a one-sided bound at 90 percent. */
const REACH = 1.2816;

/** null if the evidence contradicts that side, since more of the same would not prove it. */
export function countEventsNeeded(evidence: EdgeEvidence, side: 'above' | 'below'): number | null {
  const k = side === 'above' ? 0 : 1;
  const mean = evidence.mean[k]!;
  if (mean <= 0 || evidence.informationPerEvent <= 0) return null;
  const known = 1 / evidence.covariance[k]![k]!;
  const wanted = (REACH / mean) ** 2;
  return evidence.events + Math.ceil(Math.max(0, wanted - known) / evidence.informationPerEvent);
}
