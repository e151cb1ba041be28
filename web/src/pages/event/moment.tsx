// The event at one moment: counts, forecast and every bucket, from the stored row only.

import type { CoursePoint, CourseRecord } from '../../api/records.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Fact, Panel, ProNote, ScrollTable } from '../../ui/panel.tsx';
import { isPassed } from '../../words/bucket-range.ts';
import { formatCount, formatDayTime, formatPoints, formatProbability, plural } from '../../words/format.ts';
import { signOf } from '../live/bucket-ladder.tsx';

interface Props {
  course: CourseRecord;
  point: CoursePoint;
  bucketIndex: number;
  onBucket: (index: number) => void;
  isPro: boolean;
}

export function Moment({ course, point, bucketIndex, onBucket, isPro }: Props) {
  const { forecast } = point;
  const isHidden = (bucket: string, i: number) =>
    isPassed(bucket, point.real_counter, point.model_probs?.[i]);
  const passed = course.buckets.filter(({ bucket }, i) => isHidden(bucket, i)).length;
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
      <ScrollTable label="Buckets at this moment" className="moment-buckets">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Bucket</th>
              <th scope="col">Market</th>
              {isPro ? (
                <>
                  <th scope="col">Model</th>
                  <th scope="col">Edge (pp)</th>
                </>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {course.buckets.map(({ bucket }, i) =>
              isHidden(bucket, i) ? null : (
                <BucketRow
                  key={bucket}
                  bucket={bucket}
                  price={point.market_prices[i] ?? null}
                  probability={point.model_probs?.[i] ?? null}
                  isChosen={i === bucketIndex}
                  hasWon={course.settlement?.winning_bucket === bucket}
                  isPro={isPro}
                  onChoose={() => onBucket(i)}
                />
              ),
            )}
          </tbody>
        </table>
      </ScrollTable>
      {passed > 0 ? <p className="fine">{plural(passed, 'bucket')} below our count not shown.</p> : null}
      {isPro ? null : <ProNote>adds the forecast and model probabilities at this moment.</ProNote>}
    </Panel>
  );
}

interface RowProps {
  bucket: string;
  price: number | null;
  probability: number | null;
  isChosen: boolean;
  hasWon: boolean;
  isPro: boolean;
  onChoose: () => void;
}

function BucketRow({ bucket, price, probability, isChosen, hasWon, isPro, onChoose }: RowProps) {
  const edge = price === null || probability === null ? null : probability - price;
  return (
    <tr data-median={isChosen || undefined}>
      <th scope="row" className="num">
        <LinkButton aria-pressed={isChosen} onClick={onChoose}>
          {bucket}
        </LinkButton>
        {hasWon ? <span className="mark mark-median">won</span> : null}
      </th>
      <td className="num">{formatProbability(price)}</td>
      {isPro ? (
        <>
          <td className="num">{formatProbability(probability)}</td>
          <td className="num" data-sign={signOf(edge)}>
            {formatPoints(edge)}
          </td>
        </>
      ) : null}
    </tr>
  );
}
