// The three counts, their differences and their ages.

import { useEffect, useRef, useState } from 'react';
import type { CountersRecord, CountFeedName, FeedAge } from '../../api/records.ts';
import { type ServerClock, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { Panel } from '../../ui/panel.tsx';
import { describeAge, describeLag, describeOwn, isLate } from '../../words/deltas.ts';
import { formatCount } from '../../words/format.ts';

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
          name="Oracle"
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
  const isFeedLate = feed !== undefined && isLate(feed);
  // Our feed updates every second, so its age is shown only when it is late.
  const isAged = feed !== undefined && feed.updated_ts !== null && (source !== 'own' || isFeedLate);
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
          {isAged && isFeedLate ? <span className="tag tag-stale">stale</span> : null}
        </span>
      </p>
    </div>
  );
}

interface RailProps {
  own: number | null;
  oracle: number | null;
  ui: number | null;
}

const STROKES = 30;
const WIDTH = 620;
const STEP = WIDTH / (STROKES + 1);

function TallyRail({ own, oracle, ui }: RailProps) {
  const known = [own, oracle, ui].filter((count): count is number => count !== null);
  const top = known.length > 0 ? Math.max(...known) : 0;
  // Starts with a whole group of five, so no slash is cut off at the edge.
  const first = Math.max(1, Math.ceil((top - STROKES) / 5) * 5 + 1);
  const strokes = known.length === 0 ? [] : Array.from({ length: top - first + 1 }, (_, i) => first + i);
  const xOf = (count: number) => (count - first + 1) * STEP;
  return (
    <svg className="tally-rail" viewBox={`0 0 ${WIDTH} 64`} aria-hidden="true">
      {strokes.map((count) => (
        <path
          key={count}
          className="stroke"
          data-state={strokeState(count, own, oracle)}
          d={
            count % 5 === 0
              ? `M${xOf(count) - STEP * 4.45} 31 L${xOf(count) - STEP * 0.4} 9`
              : `M${xOf(count)} 6 V34`
          }
        />
      ))}
      <Marker x={clampedX(oracle, first, xOf)} source="oracle" label="oracle" row={0} />
      <Marker x={clampedX(ui, first, xOf)} source="ui" label="page" row={1} />
    </svg>
  );
}

function strokeState(count: number, own: number | null, oracle: number | null): string {
  if (oracle !== null && count <= oracle) return own !== null && count > own ? 'oracle-only' : 'settled';
  return 'ours';
}

/** Puts a source that lags by more strokes than the rail shows at the left end. */
function clampedX(count: number | null, first: number, xOf: (count: number) => number): number | null {
  return count === null ? null : Math.max(STEP * 0.5, xOf(Math.max(first - 1, count)) + STEP / 2);
}

function Marker({ x, source, label, row }: { x: number | null; source: string; label: string; row: number }) {
  if (x === null) return null;
  const y = row === 0 ? 49 : 62;
  return (
    <g className="marker" data-source={source}>
      <path d={`M${x} 2 V${y - 4}`} />
      <text x={x - 5} y={y} textAnchor="end">
        {label}
      </text>
    </g>
  );
}

function Figure({ value }: { value: number | null }) {
  const previous = useRef(value);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (previous.current === value) return;
    previous.current = value;
    setTurn((count) => count + 1);
  }, [value]);
  return (
    <span className="figure num" data-turn={turn === 0 ? undefined : turn % 2 ? 'odd' : 'even'}>
      {formatCount(value)}
    </span>
  );
}
