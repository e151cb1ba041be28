// Forecast vs. outcome, one point per settled event; each point links to the event's replay.

import { describeTerms, type RecordPoint } from '../../api/records.ts';
import { ShareAxis, ValueAxis } from '../../chart/axis.tsx';
import { niceTop, useWidth } from '../../chart/use-width.ts';
import { hrefTo } from '../../route.ts';
import { formatCount, formatDay, formatDecimal } from '../../words/format.ts';

const PAD = { left: 48, bottom: 34, top: 10, right: 12 };

export function OutcomePlot({ points }: { points: readonly RecordPoint[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(320);
  const height = Math.min(Math.max(260, width * 0.7), 380);
  const top = niceTop(Math.max(1, ...points.flatMap(({ p50, final_count }) => [p50, final_count])));
  const xOf = (count: number) => PAD.left + (count / top) * (width - PAD.left - PAD.right);
  const yOf = (count: number) => height - PAD.bottom - (count / top) * (height - PAD.top - PAD.bottom);
  const radius = points.length > 100 ? 3.5 : 5;
  return (
    <div ref={ref} className="drawing">
      <svg
        width={width}
        height={height}
        aria-label={`Forecast and outcome of ${points.length} settled events`}
      >
        <ValueAxis ticks={[0, top / 2, top]} from={xOf(0)} to={xOf(top)} yOf={yOf} format={formatCount} />
        <ShareAxis
          xOf={(share) => xOf(top * share)}
          y={height - 18}
          format={(share) => formatCount(top * share)}
        />
        <text className="axis-label" x={xOf(top / 2)} y={height - 3} textAnchor="middle">
          outcome, posts
        </text>
        <line className="diagonal" x1={xOf(0)} y1={yOf(0)} x2={xOf(top)} y2={yOf(top)} />
        {points.map((point) => (
          <a
            key={`${point.account} ${point.event_id}`}
            href={hrefTo('event', point.account, point.event_id)}
            aria-label={describe(point)}
          >
            <circle
              className="dot"
              data-outside={!point.inside_90 || undefined}
              cx={xOf(point.final_count)}
              cy={yOf(point.p50)}
              r={radius}
            >
              <title>{describe(point)}</title>
            </circle>
          </a>
        ))}
      </svg>
      <p className="fine">Hollow: outcome outside the 90% interval.</p>
    </div>
  );
}

function describe(point: RecordPoint): string {
  const { event_id, end_ts, p50, final_count, error_pct } = point;
  return `Event ${event_id} (${describeTerms(point)}), ${formatDay(end_ts)}: forecast ${formatDecimal(p50, 0)}, outcome ${formatCount(final_count)}, error ${formatDecimal(error_pct, 1)}%`;
}
