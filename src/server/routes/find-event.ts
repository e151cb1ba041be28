// Finds the event by the id in the path; it must belong to the account.

import { FaultError, wholeNumberFault } from '../../contract/faults.ts';
import type { Account } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { RouteContext } from '../context.ts';
import { ApiError } from '../http/error-responses.ts';

export async function findEvent(
  { store, withDeadline }: RouteContext,
  account: Account,
  idText: string,
): Promise<MarketEvent> {
  if (!/^-?\d{1,15}$/.test(idText)) throw new FaultError([wholeNumberFault(['path', 'event_id'])]);
  const event = await withDeadline(store.events.find(Number(idText)));
  if (event?.accountId !== account.accountId) throw new ApiError(404, 'Not Found');
  return event;
}
