// From what is known of an event to what sizing takes. Events without a forecast cannot be priced.

import type { AccountSnapshot, EventState } from '../state/snapshot.ts';
import { priceEvent } from '../trade/pricing/price-event.ts';
import type { PricedEvent } from '../trade/types.ts';

export function toPricedEvent(
  snapshot: AccountSnapshot,
  state: EventState,
  nowTs: number,
): PricedEvent | null {
  return priceEvent(snapshot, state, nowTs);
}
