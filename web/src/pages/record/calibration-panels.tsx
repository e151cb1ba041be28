// Calibration over an account's settled events, including recomputed ones: outcome percentiles and coverage.

import type { CalibrationRecord, Envelope } from '../../api/records.ts';
import { Drawing, ShareAxis } from '../../chart/drawing.tsx';
import { useLabel } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { Fact, Failure, Panel, QuietLine } from '../../ui/panel.tsx';
import { formatDecimal, formatProbability, plural } from '../../words/format.ts';

export function CalibrationPanels({ account, horizon }: { account: string | undefined; horizon: number }) {
  const { data, error } = useFetched<Envelope<CalibrationRecord[]>>({
    path: '/performance/calibration',
    query: { account },
  });
  if (error?.status === 404) return null;
  const records = (data?.data ?? []).filter((record) => record.horizon === horizon);
  return (
    <>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {records.map((record) => (
        <AccountCalibration key={`${record.account} ${record.horizon}`} record={record} />
      ))}
    </>
  );
}

function AccountCalibration({ record }: { record: CalibrationRecord }) {
  const label = useLabel(record.account);
  if (record.sample_size === 0)
    return <QuietLine title={`Calibration, ${label}`}>No settled events yet.</QuietLine>;
  return (
    <Panel
      title={`Calibration, ${label}`}
      aside={
        <span className="fine num">
          {plural(record.sample_size, 'settled event')}, including recomputed ones
        </span>
      }
    >
      <div className="calibration">
        <figure>
          <figcaption>
            Where outcomes fell in the forecast distribution; flat means well calibrated
          </figcaption>
          <PitHistogram bins={record.pit_histogram} />
        </figure>
        <div>
          <dl className="facts">
            <Fact
              name="Inside the 50% interval"
              value={formatProbability(record.coverage_50)}
              remark="expected 50%"
            />
            <Fact
              name="Inside the 90% interval"
              value={formatProbability(record.coverage_90)}
              remark="expected 90%"
            />
          </dl>
        </div>
      </div>
    </Panel>
  );
}

const PAD = { left: 8, bottom: 26, top: 8, right: 8 };

function PitHistogram({ bins }: { bins: CalibrationRecord['pit_histogram'] }) {
  const even = bins.reduce((sum, bin) => sum + bin.count, 0) / Math.max(1, bins.length);
  const top = Math.max(even * 2, ...bins.map((bin) => bin.count)) || 1;
  return (
    <Drawing
      label={`Outcomes per decile of the forecast: ${bins.map((bin) => formatDecimal(bin.count, 1)).join(', ')}`}
      pad={PAD}
      height={(width) => Math.min(width, 300)}
    >
      {(frame) => (
        <>
          {bins.map((bin) => (
            <rect
              key={bin.from}
              className="histogram-bar"
              x={frame.xOf(bin.from) + 1}
              width={Math.max(1, frame.xOf(bin.to) - frame.xOf(bin.from) - 2)}
              y={frame.yOf(bin.count / top)}
              height={frame.bottom - frame.yOf(bin.count / top)}
            />
          ))}
          <line
            className="diagonal"
            x1={frame.left}
            x2={frame.right}
            y1={frame.yOf(even / top)}
            y2={frame.yOf(even / top)}
          />
          <ShareAxis
            frame={frame}
            y={frame.height - 6}
            format={(share) => (share === 0 ? 'lowest' : share === 1 ? 'highest' : 'median')}
          />
        </>
      )}
    </Drawing>
  );
}
