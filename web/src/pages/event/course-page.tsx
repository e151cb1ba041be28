// One event's history: the chart, the selected moment and past advice.

import { useCallback, useMemo, useState } from 'react';
import { isPro } from '../../api/access.ts';
import { type CourseRecord, describeTerms } from '../../api/records.ts';
import { ChartKey } from '../../chart/chart-key.tsx';
import { buildPriceData } from '../../chart/price-data.ts';
import { PricePlot } from '../../chart/price-plot.tsx';
import { useAccess, useLabel } from '../../live/live-context.tsx';
import { hrefTo } from '../../route.ts';
import { CsvButton, LinkButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/controls.tsx';
import { Empty, Failure, PageHead, Panel, ProNote } from '../../ui/panel.tsx';
import { formatCount, formatDayTime, plural } from '../../words/format.ts';
import { AdviceNow } from './advice-now.tsx';
import { CourseChart, describe } from './course-chart.tsx';
import { indexAt } from './course-scale.ts';
import { listMarkers } from './markers.ts';
import { Moment } from './moment.tsx';
import { Scrubber } from './scrubber.tsx';
import { useCourse } from './use-course.ts';
import { Verdicts } from './verdicts.tsx';

interface Props {
  account: string;
  eventId: string;
  momentTs: number | null;
}

export function CoursePage({ account, eventId, momentTs }: Props) {
  const { course, error } = useCourse(account, eventId, momentTs);
  const label = useLabel(account);
  return (
    <>
      <PageHead title={course?.event_title ?? `Event ${eventId}`}>
        <p>
          <a href={hrefTo('event', account)}>{label}, all events</a>
        </p>
        {course ? <Result course={course} account={account} /> : null}
      </PageHead>
      {error?.status === 404 ? <Empty>No such event. It may belong to another account.</Empty> : null}
      {error && error.status !== 404 ? <Failure error={error} /> : null}
      {!course && !error ? <Empty>Loading…</Empty> : null}
      {course && course.points.length === 0 ? (
        <PricesAlone key={course.past_prices?.length} course={course} />
      ) : null}
      {course && course.points.length > 0 ? (
        <Course key={momentTs} account={account} course={course} momentTs={momentTs} />
      ) : null}
    </>
  );
}

/** For an event from before this service started, only the market's own prices are known. */
function PricesAlone({ course }: { course: CourseRecord }) {
  const prices = course.past_prices ?? [];
  const last = prices.at(-1)?.market_prices ?? [];
  const dearest = Math.max(0, last.indexOf(Math.max(...last.map((price) => price ?? 0))));
  const [bucket, setBucket] = useState(
    course.settlement?.winning_bucket ?? course.buckets[dearest]?.bucket ?? '',
  );
  const data = useMemo(() => buildPriceData(course, bucket, null), [course, bucket]);
  return (
    <Panel
      title="Prices"
      className="price-panel"
      aside={
        <SelectField
          label="Bucket"
          options={course.buckets.map((entry) => entry.bucket)}
          value={bucket}
          onChange={setBucket}
        />
      }
    >
      {prices.length > 1 ? (
        <PricePlot data={data} label={`Price of ${bucket} over the window, from the market’s history`} />
      ) : (
        <Empty>
          {course.past_prices_problem ?? 'No history, because the event ended before this service started.'}
        </Empty>
      )}
    </Panel>
  );
}

function Result({ course, account }: { course: CourseRecord; account: string }) {
  const { settlement, start_ts, end_ts } = course;
  return (
    <p className="num">
      {describeTerms(course)}. {formatDayTime(start_ts)} to {formatDayTime(end_ts)}.{' '}
      {settlement ? (
        <strong>
          Settled at {formatCount(settlement.final_count)} on {formatDayTime(settlement.settled_ts)}
          {settlement.winning_bucket ? `: ${settlement.winning_bucket} won` : ''}.
        </strong>
      ) : (
        <a href={hrefTo('live', account, course.event_id)}>Not settled yet. View live.</a>
      )}
    </p>
  );
}

function Course({
  account,
  course,
  momentTs,
}: Pick<Props, 'account' | 'momentTs'> & { course: CourseRecord }) {
  const { tier } = useAccess();
  const { points, signals } = course;
  const [index, setIndex] = useState(() =>
    momentTs === null ? points.length - 1 : indexAt(points, momentTs),
  );
  const [bucketIndex, setBucketIndex] = useState(() => chooseBucket(course));
  const goTo = useCallback(
    (next: number) => {
      setIndex(next);
      // Put the moment into the URL so that it can be shared, without adding a history entry.
      history.replaceState(null, '', hrefTo('event', account, course.event_id, points[next]!.timestamp));
    },
    [account, course.event_id, points],
  );
  const name = `${account}-${course.event_id}`;
  return (
    <div className="stack">
      {isPro(tier) && isOpen(course) ? <AdviceNow account={account} eventId={course.event_id} /> : null}
      <Panel
        title="History"
        className="course"
        aside={
          <CsvButton
            path={`/history/${account}/${course.event_id}`}
            query={{ step: 'all', limit: 300 }}
            name={`${name}.csv`}
            what="History"
          />
        }
      >
        <CourseKey course={course} bucketIndex={bucketIndex} />
        <CourseChart course={course} bucketIndex={bucketIndex} index={index} onIndex={goTo} />
        <Scrubber points={points} index={index} onIndex={goTo} />
        <Marks course={course} onMoment={(ts) => goTo(indexAt(points, ts))} />
        {isPro(tier) ? null : <ProNote>adds the forecast over time and past advice.</ProNote>}
      </Panel>
      <Moment
        course={course}
        point={points[index]!}
        bucketIndex={bucketIndex}
        onBucket={setBucketIndex}
        isPro={isPro(tier)}
      />
      {signals ? (
        <Verdicts signals={signals} course={course} onMoment={(ts) => goTo(indexAt(points, ts))} />
      ) : null}
    </div>
  );
}

/** Whether advice may still change. */
function isOpen({ settlement, end_ts, points }: CourseRecord): boolean {
  return !settlement && (points.at(-1)?.timestamp ?? 0) < end_ts;
}

/** Lists only what the chart draws. */
function CourseKey({ course, bucketIndex }: { course: CourseRecord; bucketIndex: number }) {
  const { points, signals, buckets } = course;
  const marks = listMarkers(points, signals);
  const bucket = buckets[bucketIndex]?.bucket ?? '';
  const lines: [line: string, name: string, isDrawn: boolean][] = [
    ['own', 'our count', true],
    ['oracle', 'oracle', points.some((point) => point.market_oracle_counter !== null)],
    ['fan', 'forecast final count, p5 to p95', points.some((point) => point.forecast)],
    ['price', `price of ${bucket}`, points.some((point) => point.market_prices[bucketIndex] != null)],
    ['model', `model for ${bucket}`, points.some((point) => point.model_probs?.[bucketIndex] != null)],
    ['burst', 'burst', marks.some(({ kind }) => kind === 'burst')],
    ['gap', 'oracle stalled', marks.some(({ kind }) => kind === 'gap')],
    ['signal', 'signal', marks.some(({ kind }) => kind === 'signal')],
    ['recomputed', 'recomputed from stored posts', points.some(({ recomputed }) => recomputed)],
  ];
  return <ChartKey entries={lines.map(([line, name, isDrawn]) => isDrawn && { line, name })} />;
}

/** The chart's marks as text, for keyboard, touch and screen readers. */
function Marks({ course, onMoment }: { course: CourseRecord; onMoment: (ts: number) => void }) {
  const marks = listMarkers(course.points, course.signals);
  if (marks.length === 0) return null;
  return (
    <details className="more">
      <summary>{plural(marks.length, 'mark')}</summary>
      <ul className="course-marks">
        {marks.map((mark) => (
          <li key={describe(mark)}>
            <LinkButton onClick={() => onMoment(mark.fromTs)}>{describe(mark)}</LinkButton>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Selects the winner or, before settlement, the market's favourite. */
function chooseBucket({ buckets, settlement, points }: CourseRecord): number {
  const won = buckets.findIndex(({ bucket }) => bucket === settlement?.winning_bucket);
  if (won >= 0) return won;
  const prices = points.at(-1)?.market_prices ?? [];
  return Math.max(0, prices.indexOf(Math.max(...prices.map((price) => price ?? 0))));
}
