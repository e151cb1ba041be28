// Looks up an event's account, venue and counting rule by id, for responses about settled events.

import type { Account } from '../../domain/account.ts';
import { type ContractTerms, firstTerms } from '../../domain/contract.ts';
import type { RouteContext } from '../context.ts';
import { type PlaceOf, presentContract } from '../records/events.ts';

/** Only accounts with contracts on additional venues need lookups. */
export async function readPlaces({
  accounts,
  store,
}: Pick<RouteContext, 'accounts' | 'store'>): Promise<PlaceOf> {
  const spread = accounts.filter(({ contracts }) => contracts?.length);
  const events = (await Promise.all(spread.map(({ accountId }) => store.events.list(accountId, 0)))).flat();
  const further = new Map(events.flatMap(({ eventId, terms }) => (terms ? [[eventId, terms] as const] : [])));
  return createPlaces(accounts, further);
}

function createPlaces(accounts: readonly Account[], further: ReadonlyMap<number, ContractTerms>): PlaceOf {
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return ({ accountId, eventId }) => {
    const account = byId.get(accountId);
    if (!account) return { account: accountId };
    return { account: account.segment, ...presentContract(further.get(eventId) ?? firstTerms(account)) };
  };
}
