// Calibration over an account's settled events, including recomputed ones: outcome percentiles and coverage.

import type { CalibrationRecord, Envelope } from '../../api/records.ts';
import { useLabel } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { Fact } from '../../ui/fact.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { formatProbability, plural } from '../../words/format.ts';
import { PitHistogram } from './pit-histogram.tsx';

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
  return (
    <Panel
      title={`Calibration, ${label}`}
      aside={
        <span className="fine num">
          {plural(record.sample_size, 'settled event')}, including recomputed ones
        </span>
      }
    >
      {record.sample_size === 0 ? (
        <Empty>No settled events yet.</Empty>
      ) : (
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
                remark="of 50%"
              />
              <Fact
                name="Inside the 90% interval"
                value={formatProbability(record.coverage_90)}
                remark="of 90%"
              />
            </dl>
          </div>
        </div>
      )}
    </Panel>
  );
}
