// Finds the event with a given id; it must belong to the account.

import { FaultError, wholeNumberFault } from '../contract/faults.ts';
import type { Account } from '../domain/account.ts';
import type { MarketEvent } from '../domain/market-event.ts';
import type { RouteContext } from './context.ts';
import { ApiError } from './http/error-responses.ts';

export async function findEvent(
  { store, withDeadline }: RouteContext,
  account: Account,
  idText: string,
): Promise<MarketEvent> {
  if (!/^-?\d{1,15}$/.test(idText)) throw new FaultError([wholeNumberFault(['path', 'event_id'])]);
  const eventId = Number(idText);
  const event = await withDeadline(store.events.find(eventId));
  if (event?.accountId !== account.accountId) throw unknownEvent(account, eventId);
  return event;
}

/** Whether the event exists, in the account if one is given; it may be running, upcoming or over. */
export async function isKnownEvent(
  { board, accounts, store, withDeadline }: RouteContext,
  accountId: string | null,
  eventId: number,
): Promise<boolean> {
  const isListed = accounts
    .filter((account) => accountId === null || account.accountId === accountId)
    .some((account) => board.find(account.accountId)?.events.some(({ event }) => event.eventId === eventId));
  if (isListed || !Number.isSafeInteger(eventId)) return isListed;
  const event = await withDeadline(store.events.find(eventId));
  return event !== undefined && (accountId === null || event.accountId === accountId);
}

export function unknownEvent({ segment }: Account, eventId: number): ApiError {
  return new ApiError(404, `${segment} has no event ${eventId}`);
}

/** For requests that only an active event can answer. */
export function inactiveEvent({ segment }: Account, eventId: number): ApiError {
  return new ApiError(404, `${segment} has no active event ${eventId}`);
}
