// Selects an account's count markets among listed events: no word markets, add-ons or archived duplicates.

import type { MarketScope } from '../../domain/account.ts';
import type { ListedEventWire } from './wire.ts';

const ADD_ON_SUFFIX =
  /-(?:higher|lower)-(?:brackets|options|strikes)(?:-\d+)?$|-(?:strikes|brackets)-of-\d+$|-\d+-(?:strikes|brackets)$|-continued$/;

export function isInScope(event: ListedEventWire, scope: MarketScope): boolean {
  const isOfSeries = event.seriesSlugs.some((slug) => scope.seriesSlugs.includes(slug));
  return isOfSeries || (scope.slugPrefix !== null && event.slug.startsWith(scope.slugPrefix));
}

/** Reason given for an event in the account's series that is not titled like a post-count market. */
export const NO_COUNT_MARKET = 'not a post-count market';

/** Why an event in the account's scope is not a count market; null if it is. */
export function findExclusion(event: ListedEventWire): string | null {
  if (event.isArchived || event.slug.startsWith('arch-')) return 'an archived duplicate';
  if (ADD_ON_SUFFIX.test(event.slug)) return 'an add-on to another event';
  if (/\bmentions?\b/i.test(event.title) || /-mentions?(-|$)/.test(event.slug)) return 'a word market';
  if (/#\s*(?:[\w' ]{0,40}?)(?:tweets|posts|truths)\b/i.test(event.title)) return null;
  return /-of-(?:[a-z-]{0,40}?)(?:tweets|posts|truths)(-|$)/.test(event.slug) ? null : NO_COUNT_MARKET;
}
