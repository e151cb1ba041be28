// Open events across all accounts, each with its count, time left and lag.

import type { CountersRecord } from '../../api/records.ts';
import type { AccountFeed } from '../../live/account-feed.ts';
import { type ServerClock, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { useAccountView, useLabel, useLive, useTerms } from '../../live/live-context.tsx';
import type { AccountView } from '../../live/view-store.ts';
import { hrefTo } from '../../route.ts';
import { describeLag } from '../../words/deltas.ts';
import { formatCount, formatDate, formatLength } from '../../words/format.ts';

interface RailProps {
  chosenAccount: string;
  chosenEventId: number | null;
}

export function EventRail({ chosenAccount, chosenEventId }: RailProps) {
  const { feeds } = useLive();
  return (
    <nav className="rail" aria-label="Open events">
      {feeds.map((feed) => {
        const account = feed.get().state.account;
        return (
          <RailGroup
            key={account}
            feed={feed}
            chosenEventId={account === chosenAccount ? chosenEventId : null}
            isChosen={account === chosenAccount}
          />
        );
      })}
    </nav>
  );
}

interface GroupProps {
  feed: AccountFeed;
  chosenEventId: number | null;
  isChosen: boolean;
}

function RailGroup({ feed, chosenEventId, isChosen }: GroupProps) {
  const view = useAccountView(feed)!;
  const { account, meta, clock } = view.state;
  const label = useLabel(account);
  return (
    <div className="rail-group">
      <p className="rail-label" id={`rail-${account}`}>
        {label}
      </p>
      <ul aria-labelledby={`rail-${account}`}>
        {meta.map((record) => (
          <li key={record.event_id}>
            <RailEntry
              account={account}
              record={record}
              clock={clock}
              isCurrent={record.event_id === chosenEventId}
            />
          </li>
        ))}
        {meta.length === 0 ? (
          <li>
            <a
              className="rail-entry rail-none"
              href={hrefTo('live', account)}
              aria-current={isChosen ? 'true' : undefined}
            >
              {describeNone(view)}
            </a>
          </li>
        ) : null}
      </ul>
    </div>
  );
}

/** A rejected or rate-limited connection needs a different text, because waiting may not help. */
function describeNone({ state, line }: AccountView): string {
  if (state.heardTs !== null) return 'No open events';
  if (line.kind === 'limited') return 'Paused';
  return line.kind === 'refused' ? 'Key rejected' : 'Waiting…';
}

interface EntryProps {
  account: string;
  record: CountersRecord;
  clock: ServerClock;
  isCurrent: boolean;
}

function RailEntry({ account, record, clock, isCurrent }: EntryProps) {
  const leftMs = record.end_ts - toServerTs(clock, useNow());
  const terms = useTerms()(record);
  const label = useLabel(account);
  return (
    <a
      className="rail-entry"
      href={hrefTo('live', account, record.event_id)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span className="rail-title">{record.event_title}</span>
      {/* On a phone, titles would be cut before they differ. */}
      <span className="rail-short">
        {label}: {formatDate(record.start_ts)} to {formatDate(record.end_ts)}
      </span>
      <span className="rail-count num">{formatCount(record.real_counter)}</span>
      <span className="rail-facts num">
        <span>{leftMs > 0 ? `${formatLength(leftMs)} left` : 'window closed'}</span>
        <span>{describeLag('oracle', record.settlement_delta)}</span>
        {terms ? <span className="rail-terms">{terms}</span> : null}
      </span>
    </a>
  );
}
