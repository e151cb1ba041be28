// The three counts, their differences and their ages.

import type { CountersRecord, CountFeedName, FeedAge } from '../../api/records.ts';
import { type ServerClock, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { describeAge, describeLag, describeOwn } from '../../words/deltas.ts';
import { TallyRail } from './tally-rail.tsx';

interface Props {
  record: CountersRecord;
  clock: ServerClock;
  isOld: boolean;
}

export function CountersPanel({ record, clock, isOld }: Props) {
  const serverNowTs = toServerTs(clock, useNow());
  const common = { serverNowTs, isOld };
  return (
    <Panel title="Counts" className="counters">
      <div className="counter-row">
        <Counter
          {...common}
          source="own"
          name="Our count"
          value={record.real_counter}
          words={describeOwn(record)}
          feed={record.feeds?.own}
        />
        <Counter
          {...common}
          source="oracle"
          name="Settlement oracle"
          value={record.market_oracle_counter}
          words={describeLag('oracle', record.settlement_delta)}
          feed={record.feeds?.oracle}
        />
        <Counter
          {...common}
          source="ui"
          name="Market page"
          value={record.market_ui_counter}
          words={describeLag('page', record.display_delta)}
          feed={record.feeds?.ui}
        />
      </div>
      <TallyRail
        own={record.real_counter}
        oracle={record.market_oracle_counter}
        ui={record.market_ui_counter}
      />
    </Panel>
  );
}

interface CounterProps {
  source: CountFeedName;
  name: string;
  value: number | null;
  words: string;
  feed: FeedAge | undefined;
  serverNowTs: number;
  isOld: boolean;
}

function Counter({ source, name, value, words, feed, serverNowTs, isOld }: CounterProps) {
  const isStale = isOld || feed?.stale === true;
  // Our feed updates every second, so its age is shown only when it is late.
  const isAged = feed !== undefined && feed.updated_ts !== null && (source !== 'own' || feed.stale);
  return (
    <div className="counter" data-source={source} data-stale={isStale || undefined}>
      <p className="counter-name">
        <span className="source-dot" aria-hidden="true" />
        {name}
      </p>
      <p className="counter-value">
        <Figure value={value} />
      </p>
      <p className="counter-words">
        {words}
        <span className="counter-age num">
          {isAged ? `, ${describeAge(feed, serverNowTs)}` : ''}
          {isAged && feed.stale ? <span className="tag tag-stale">stale</span> : null}
        </span>
      </p>
    </div>
  );
}
