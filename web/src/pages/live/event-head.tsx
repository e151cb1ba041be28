// The event's title, window and time left.

import { type CountersRecord, nameSettlement, nameVenue } from '../../api/records.ts';
import { type AccountState, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { useLabel } from '../../live/live-context.tsx';
import { hrefTo } from '../../route.ts';
import { formatCount, formatCountdown, formatDayTime, initialOf } from '../../words/format.ts';
import { getZone } from '../../words/zone.ts';

export function EventHead({ record, state }: { record: CountersRecord; state: AccountState }) {
  const label = useLabel(state.account);
  const leftS = (record.end_ts - toServerTs(state.clock, useNow())) / 1000;
  const settlement = state.settlements[record.event_id];
  const lengthS = (record.end_ts - record.start_ts) / 1000;
  const passed = Math.min(1, Math.max(0, 1 - leftS / lengthS));
  return (
    <header className="event-head">
      <Monogram label={label} />
      <div>
        <p className="eyebrow">{label}</p>
        <h1>{record.event_title}</h1>
        <p className="fine event-about">
          <time dateTime={new Date(record.start_ts).toISOString()}>{formatDayTime(record.start_ts)}</time> to{' '}
          <time dateTime={new Date(record.end_ts).toISOString()}>{formatDayTime(record.end_ts)}</time>
          {getZone() === 'local' ? ', your time' : null}
        </p>
        {record.venue === undefined ? null : (
          <p className="fine event-about">
            {nameVenue(record.venue)}: {record.counting_rule}. Settled by{' '}
            {nameSettlement(record.settlement_source)}
          </p>
        )}
        <p className="fine">
          <a href={hrefTo('event', state.account, record.event_id)}>History</a>,{' '}
          <a href={hrefTo('what-if', state.account, record.event_id)}>what if</a>
        </p>
      </div>
      <div className="countdown">
        {settlement ? (
          <>
            <p className="fine">Settled</p>
            <p className="countdown-value num">{formatCount(settlement.final_count)}</p>
          </>
        ) : (
          <>
            <p className="fine">{leftS > 0 ? 'Window closes in' : 'Window closed'}</p>
            <p className="countdown-value num" role="timer" aria-live="off">
              {formatCountdown(leftS)}
            </p>
          </>
        )}
        <progress
          className="countdown-bar"
          max={1}
          value={passed}
          aria-label="Share of the window that has passed"
        >
          {Math.round(passed * 100)}%
        </progress>
      </div>
    </header>
  );
}

/** Replaces the market's picture, because the page loads nothing from other sites. */
function Monogram({ label }: { label: string }) {
  return (
    <span className="monogram" aria-hidden="true">
      {initialOf(label)}
    </span>
  );
}
