// An event's account, venue and counting rule, for responses about settled events.

import { Terms } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Account, AccountId } from '../../domain/account.ts';
import { firstTerms } from '../../domain/contract.ts';
import type { Store } from '../../store/ports.ts';
import { presentContract } from './events.ts';
import { rowsOf } from './record.ts';

export type Place = { account: string } & Partial<ReturnType<typeof presentContract>>;
export type PlaceOf = (event: { accountId: AccountId; eventId: number }) => Place;

export const placeRows = rowsOf<{ place: Place }>()({
  account: [Type.String(), ({ place }) => place.account],
  venue: [Terms.venue, ({ place }) => place.venue],
  counting_rule: [Terms.counting_rule, ({ place }) => place.counting_rule],
  settlement_source: [Terms.settlement_source, ({ place }) => place.settlement_source],
});

/** Only accounts with contracts on additional venues need lookups. */
export async function readPlaces({
  accounts,
  store,
}: {
  accounts: readonly Account[];
  store: Pick<Store, 'events'>;
}): Promise<PlaceOf> {
  const spread = accounts.filter(({ contracts }) => contracts?.length);
  const events = (await Promise.all(spread.map(({ accountId }) => store.events.list(accountId, 0)))).flat();
  const further = new Map(events.flatMap(({ eventId, terms }) => (terms ? [[eventId, terms] as const] : [])));
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return ({ accountId, eventId }) => {
    const account = byId.get(accountId);
    if (!account) return { account: accountId };
    return { account: account.segment, ...presentContract(further.get(eventId) ?? firstTerms(account)) };
  };
}
