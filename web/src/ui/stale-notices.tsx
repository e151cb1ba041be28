// Names the stale feeds of an account, since when, and what is still current.

import type { FeedAge, Feeds } from '../api/records.ts';
import type { AccountFeed } from '../live/account-feed.ts';
import { useAccountView, useLabel, useLive } from '../live/live-context.tsx';
import { formatDayTime } from '../words/format.ts';

/** What a stale feed makes unusable, most important first. */
const GROUNDS = [
  { feed: 'own', what: 'Posts', lost: ['our count', 'the forecast', 'edges'] },
  { feed: 'oracle', what: "The oracle's count", lost: ["the oracle's count"] },
  { feed: 'prices', what: 'Prices', lost: ['prices', 'edges'] },
  { feed: 'forecast', what: 'The forecast', lost: ['the forecast', 'edges'] },
  { feed: 'ui', what: "The market page's count", lost: ["the market page's count"] },
] as const;
const SHOWN = [...new Set(GROUNDS.flatMap(({ lost }) => lost))];

export type StaleFeed = (typeof GROUNDS)[number] & { age: FeedAge };

export function StaleNotices() {
  const { feeds } = useLive();
  return feeds.map((feed) => <StaleNotice key={feed.get().state.account} feed={feed} />);
}

function StaleNotice({ feed }: { feed: AccountFeed }) {
  const view = useAccountView(feed);
  const label = useLabel(view?.state.account ?? '');
  const stale = listStale(view?.state.meta[0]?.feeds);
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
        {isBlind ? 'No advice until it is back. ' : null}Greyed out: {lost.join(', ')}.{' '}
        {good.length > 0 ? `Still current: ${good.join(', ')}.` : null}
      </p>
    </div>
  );
}

/** No advice depends on the count shown on the market's page. */
export function isGroundOfAdvice(feed: StaleFeed['feed']): boolean {
  return feed !== 'ui';
}

function describe({ what, age }: StaleFeed): string {
  return `${what}: no update since ${formatDayTime(age.updated_ts ?? 0)}`;
}

export function listStale(feeds: Partial<Feeds> | undefined): StaleFeed[] {
  return GROUNDS.flatMap((ground) => {
    const age = feeds?.[ground.feed];
    // A feed without any data yet, as on a first start, is not stale.
    return age?.stale && age.updated_ts !== null ? [{ ...ground, age }] : [];
  });
}
