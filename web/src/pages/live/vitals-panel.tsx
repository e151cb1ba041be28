// The account's activity: pace, velocity, sleep and feed status.

import type { CountersRecord, FeedAge, PredictionRecord } from '../../api/records.ts';
import { type AccountState, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { useSilence } from '../../live/live-context.tsx';
import { Fact, Panel, ProNote } from '../../ui/panel.tsx';
import { describeAge, FEED_NAMES, isLate, nameFeedState } from '../../words/deltas.ts';
import { formatDecimal, formatLength, formatProbability, NONE } from '../../words/format.ts';

interface Props {
  record: CountersRecord;
  prediction: PredictionRecord | undefined;
  state: AccountState;
  isPro: boolean;
}

export function VitalsPanel({ record, prediction, state, isPro }: Props) {
  const serverNowTs = toServerTs(state.clock, useNow());
  const elapsedH = Math.max(0, Math.min(serverNowTs, record.end_ts) - record.start_ts) / 3_600_000;
  const pacePerDay =
    record.real_counter === null || elapsedH < 1 ? null : (record.real_counter / elapsedH) * 24;
  const newest = state.posts[0];
  return (
    <Panel title="Activity" className="vitals">
      <dl className="facts">
        <Fact name="Pace so far" value={formatDecimal(pacePerDay, 1)} remark="per day" />
        <Fact
          name="Last post"
          value={newest ? formatLength(serverNowTs - newest.created_ts) : NONE}
          remark={newest ? 'ago' : ''}
        />
        {isPro ? <ProFacts prediction={prediction} /> : null}
      </dl>
      {isPro ? null : <ProNote>adds posts in the last hour and whether the account is asleep.</ProNote>}
      <FeedHealth record={record} state={state} serverNowTs={serverNowTs} />
    </Panel>
  );
}

function ProFacts({ prediction }: { prediction: PredictionRecord | undefined }) {
  return (
    <>
      <Fact
        name="Counted, last hour"
        value={formatDecimal(prediction?.velocity_counted_1h, 1)}
        remark="per hour"
      />
      <Fact
        name="All posts, last hour"
        value={formatDecimal(prediction?.velocity_all_1h, 1)}
        remark="per hour"
      />
      <Fact name="Asleep" value={formatProbability(prediction?.sleep_probability)} remark="probability" />
    </>
  );
}

interface HealthProps {
  record: CountersRecord;
  state: AccountState;
  serverNowTs: number;
}

function FeedHealth({ record, state, serverNowTs }: HealthProps) {
  const isUnknown = useSilence() !== null;
  const feeds: Record<string, FeedAge | undefined> = { ...state.feeds, ...record.feeds };
  const names = Object.keys(FEED_NAMES).filter((name) => feeds[name]);
  if (names.length === 0) return null;
  return (
    <ul className="feeds" aria-label="Feeds">
      {names.map((name) => {
        const feed = feeds[name]!;
        return (
          <li key={name} data-stale={feed.stale || undefined} title={state.feeds[name]?.problem ?? undefined}>
            <span className="feed-dot" aria-hidden="true" />
            {FEED_NAMES[name]}{' '}
            <span className="feed-age num">
              {isUnknown ? 'unknown' : nameFeedState(feed)}
              {!isUnknown && isLate(feed) ? `, ${describeAge(feed, serverNowTs)}` : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
