// The bucket's signal as a holder reads it. If no trade is advised, the reason is why to keep the shares, not
// why to buy none.

import type { OutcomeSide } from '../../domain/position.ts';
import { boundOf } from '../advice/bounds.ts';
import { findExit } from '../advice/decision.ts';
import { describeKeeping } from '../advice/reasons.ts';
import { findNoSell, findYesSell } from '../cost.ts';
import type {
  BucketEdge,
  BucketSignal,
  EventSignals,
  PricedBucket,
  PricedEvent,
  ValuedPosition,
} from '../types.ts';

type Held = Pick<ValuedPosition, 'eventId' | 'bucketLabel' | 'side'>;

/** The returned function gives null for a closed bucket, which has no signal. */
export function createHolderSignals(
  events: readonly PricedEvent[],
  advice: readonly EventSignals[],
): (position: Held) => BucketSignal | null {
  return ({ eventId, bucketLabel, side }) => {
    const event = advice.find((one) => one.eventId === eventId);
    const signal = event?.signals.find((one) => one.bucketLabel === bucketLabel);
    if (!event || !signal) return null;
    const priced = events.find((one) => one.eventId === eventId);
    const bucket = priced?.buckets.find(({ label }) => label === bucketLabel);
    return bucket && event.blindness === null ? addressHolder(signal, bucket, side) : signal;
  };
}

function addressHolder(signal: BucketSignal, bucket: PricedBucket, side: OutcomeSide): BucketSignal {
  const { verdict, basis } = signal;
  if (verdict.kind !== 'nothing' || findExit(bucket, basis, side) !== null) return signal;
  const reason = explainKeeping(bucket, basis, side);
  const reasons = verdict.reasons.map((one) => (one === verdict.abstainReason ? reason : one));
  return { ...signal, verdict: { ...verdict, abstainReason: reason, sentence: `Keep: ${reason}`, reasons } };
}

/** No sale is proven: either its proceeds are below the share's value, or below what the value may be. */
function explainKeeping(bucket: PricedBucket, edge: BucketEdge, side: OutcomeSide): string {
  if (edge.halt !== null) return edge.halt;
  const sale = side === 'Yes' ? findYesSell(bucket) : findNoSell(bucket);
  if (!sale.isExecutable) return sale.problem;
  const value = side === 'Yes' ? edge.blended : 1 - edge.blended;
  const upper = 1 - boundOf(edge, bucket, side === 'Yes' ? 'No' : 'Yes');
  return describeKeeping(sale.price.netPrice, value, upper);
}
