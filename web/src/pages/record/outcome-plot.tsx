// Forecast vs. outcome, one point per settled event; each point links to the event's replay.

import { describeTerms, type RecordPoint } from '../../api/records.ts';
import { Drawing, niceTop, ShareAxis, ValueAxis } from '../../chart/drawing.tsx';
import { hrefTo } from '../../route.ts';
import { formatCount, formatDay, formatDecimal } from '../../words/format.ts';

const PAD = { left: 48, bottom: 34, top: 10, right: 12 };

export function OutcomePlot({ points }: { points: readonly RecordPoint[] }) {
  const top = niceTop(Math.max(1, ...points.flatMap(({ p50, final_count }) => [p50, final_count])));
  const radius = points.length > 100 ? 3.5 : 5;
  return (
    <>
      <Drawing
        label={`Forecast and outcome of ${points.length} settled events`}
        pad={PAD}
        height={(width) => Math.min(Math.max(260, width * 0.7), 380)}
        hasLinks
      >
        {(frame) => (
          <>
            <ValueAxis
              frame={frame}
              ticks={[0, top / 2, top]}
              yOf={(count) => frame.yOf(count / top)}
              format={formatCount}
            />
            <ShareAxis
              frame={frame}
              y={frame.height - 18}
              format={(share) => (share === 0.5 ? 'outcome, posts' : formatCount(top * share))}
            />
            <line
              className="diagonal"
              x1={frame.xOf(0)}
              y1={frame.yOf(0)}
              x2={frame.xOf(1)}
              y2={frame.yOf(1)}
            />
            {points.map((point) => (
              <a
                key={`${point.account} ${point.event_id}`}
                href={hrefTo('event', point.account, point.event_id)}
                aria-label={describe(point)}
              >
                <circle
                  className="dot"
                  data-outside={!point.inside_90 || undefined}
                  cx={frame.xOf(point.final_count / top)}
                  cy={frame.yOf(point.p50 / top)}
                  r={radius}
                >
                  <title>{describe(point)}</title>
                </circle>
              </a>
            ))}
          </>
        )}
      </Drawing>
      <p className="fine">Hollow: outcome outside the 90% interval.</p>
    </>
  );
}

function describe(point: RecordPoint): string {
  const { event_id, end_ts, p50, final_count, error_pct } = point;
  return `Event ${event_id} (${describeTerms(point)}), ${formatDay(end_ts)}: forecast ${formatDecimal(p50, 0)}, outcome ${formatCount(final_count)}, error ${formatDecimal(error_pct, 1)}%`;
}
