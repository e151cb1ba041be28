// Lists an account's stale feeds, when each was last updated, and what is still current.

import { type CountersRecord, type FeedAge, type Feeds, nameVenue } from '../api/records.ts';
import type { AccountFeed } from '../live/account-feed.ts';
import { isAdditionalVenue } from '../live/account-state.ts';
import { useAccountView, useLabel, useLive } from '../live/live-context.tsx';
import { isLate } from '../words/deltas.ts';
import { formatDayTime } from '../words/format.ts';

/** What each feed makes unusable when stale, most important first. */
const GROUNDS = [
  { feed: 'own', what: 'Posts', lost: ['our count', 'the forecast', 'edges'] },
  { feed: 'oracle', what: "The oracle's count", lost: ["the oracle's count"] },
  { feed: 'prices', what: 'Prices', lost: ['prices', 'edges'] },
  { feed: 'forecast', what: 'The forecast', lost: ['the forecast', 'edges'] },
  { feed: 'ui', what: "The market page's count", lost: ["the market page's count"] },
] as const;
const SHOWN = [...new Set(GROUNDS.flatMap(({ lost }) => lost))];

export type StaleFeed = (typeof GROUNDS)[number] & { age: FeedAge };
/** The feed's venue; null for the account's own feeds and the first venue's. */
type StaleOfVenue = StaleFeed & { venue: string | null };

export function StaleBanners() {
  const { feeds } = useLive();
  return feeds.map((feed) => <StaleBanner key={feed.get().state.account} feed={feed} />);
}

function StaleBanner({ feed }: { feed: AccountFeed }) {
  const view = useAccountView(feed);
  const label = useLabel(view?.state.account ?? '');
  const stale = listStaleOfAccount(view?.state.meta ?? []);
  if (stale.length === 0) return null;
  const lost = SHOWN.filter((name) => stale.some((entry) => entry.lost.some((other) => other === name)));
  const good = SHOWN.filter((name) => !lost.includes(name));
  const isBlind = stale.some((entry) => isGroundOfAdvice(entry.feed));
  return (
    <div className="notice notice-warn" role="status">
      <p>
        <strong>
          {label}: {stale.map(describe).join('; ')}.
        </strong>{' '}
        {isBlind
          ? `No advice until ${stale.some(({ age }) => isLate(age)) ? 'it recovers' : 'then'}. `
          : null}
        Greyed out: {lost.join(', ')}. {good.length > 0 ? `Still current: ${good.join(', ')}.` : null}
      </p>
    </div>
  );
}

/** Advice depends on every feed except the market page's count. */
export function isGroundOfAdvice(feed: StaleFeed['feed']): boolean {
  return feed !== 'ui';
}

function describe({ venue, feed, what, age }: StaleOfVenue): string {
  const name = venue === null ? what : `${nameVenue(venue)} ${VENUE_FEEDS[feed]}`;
  if (age.incomplete) return `${name}: older ones are not all read yet, so counts may be too low`;
  return `${name}: no update since ${formatDayTime(age.updated_ts ?? 0)}`;
}

/** Feeds that each venue has separately. */
const VENUE_FEEDS: Partial<Record<StaleFeed['feed'], string>> = { oracle: 'counts', prices: 'prices' };

/** Stale and incomplete feeds across the account's events: posts and forecast once, prices and counts per venue. */
export function listStaleOfAccount(meta: readonly CountersRecord[]): StaleOfVenue[] {
  const all = meta.flatMap(({ venue, feeds }) =>
    listStale(feeds).map((entry) => {
      const isOwn = isAdditionalVenue(venue) && VENUE_FEEDS[entry.feed] !== undefined;
      return { ...entry, venue: isOwn ? venue! : null };
    }),
  );
  const first = new Map(all.toReversed().map((entry) => [`${entry.venue} ${entry.feed}`, entry]));
  return [...first.values()].toReversed();
}

export function listStale(feeds: Partial<Feeds> | undefined): StaleFeed[] {
  return GROUNDS.flatMap((ground) => {
    const age = feeds?.[ground.feed];
    // A feed that has no data yet, as on first start, is not stale.
    const isUsable = !age || age.updated_ts === null || !age.stale;
    return isUsable ? [] : [{ ...ground, age }];
  });
}
