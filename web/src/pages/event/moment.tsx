// The event at one moment: counts, forecast and every bucket, from the stored row only.

import type { CoursePoint, CourseRecord } from '../../api/records.ts';
import { LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Fact, Panel, ProNote } from '../../ui/panel.tsx';
import { isPassed } from '../../words/bucket-range.ts';
import { formatCount, formatDayTime, plural } from '../../words/format.ts';

interface Props {
  course: CourseRecord;
  point: CoursePoint;
  bucketIndex: number;
  onBucket: (index: number) => void;
  isPro: boolean;
}

export function Moment({ course, point, bucketIndex, onBucket, isPro }: Props) {
  const { forecast } = point;
  const rows = listRows(course, point);
  const passed = course.buckets.length - rows.length;
  return (
    <Panel
      title={`At ${formatDayTime(point.timestamp)}`}
      className="moment"
      aside={point.recomputed ? <span className="fine">recomputed from data available then</span> : null}
    >
      <dl className="facts" data-ts={point.timestamp}>
        <Fact name="Our count" value={formatCount(point.real_counter)} />
        <Fact name="Oracle" value={formatCount(point.market_oracle_counter)} />
        <Fact name="Market page" value={formatCount(point.market_ui_counter)} />
        {forecast ? (
          <Fact
            name="Forecast"
            value={formatCount(forecast.p50)}
            remark={`${formatCount(forecast.p5)} to ${formatCount(forecast.p95)}`}
          />
        ) : null}
      </dl>
      <DataTable
        label="Buckets at this moment"
        scrollClassName="moment-buckets"
        rows={rows}
        keyOf={({ bucket }) => bucket}
        marks={({ index }) => ({ 'data-median': index === bucketIndex || undefined })}
        columns={[
          {
            name: 'Bucket',
            cell: ({ bucket, index }) => (
              <>
                <LinkButton aria-pressed={index === bucketIndex} onClick={() => onBucket(index)}>
                  {bucket}
                </LinkButton>
                {course.settlement?.winning_bucket === bucket ? (
                  <span className="mark mark-median">won</span>
                ) : null}
              </>
            ),
          },
          { name: 'Market', percent: ({ price }) => price },
          isPro && { name: 'Model', percent: ({ probability }) => probability },
          isPro && { name: 'Edge (pp)', points: ({ edge }) => edge },
        ]}
      />
      {passed > 0 ? <p className="fine">{plural(passed, 'bucket')} below our count not shown.</p> : null}
      {isPro ? null : <ProNote>adds the forecast and model probabilities at this moment.</ProNote>}
    </Panel>
  );
}

function listRows({ buckets }: CourseRecord, point: CoursePoint) {
  return buckets
    .map(({ bucket }, index) => {
      const price = point.market_prices[index] ?? null;
      const probability = point.model_probs?.[index] ?? null;
      const edge = price === null || probability === null ? null : probability - price;
      return { bucket, index, price, probability, edge };
    })
    .filter(({ bucket, probability }) => !isPassed(bucket, point.real_counter, probability));
}
