// Calibration: reliability, PIT histogram, coverage, and scores of the model, the baselines and the market.

import type { CalibrationRecord, Envelope } from '../../api/records.ts';
import { useLabel } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { Fact } from '../../ui/fact.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatDecimal, formatProbability, plural } from '../../words/format.ts';
import { nameForecaster } from './forecaster-names.ts';
import { PitHistogram } from './pit-histogram.tsx';
import { ReliabilityPlot } from './reliability-plot.tsx';

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
      aside={<span className="fine num">{plural(record.sample_size, 'settled event')}</span>}
    >
      {record.sample_size === 0 ? (
        <Empty>No settled events yet.</Empty>
      ) : (
        <div className="calibration">
          <figure>
            <figcaption>Reliability: predicted vs. observed</figcaption>
            <ReliabilityPlot bins={record.reliability} />
          </figure>
          <figure>
            <figcaption>Forecast percentile of outcomes: flat is calibrated</figcaption>
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
            <ScoreTable record={record} />
          </div>
        </div>
      )}
    </Panel>
  );
}

function ScoreTable({ record }: { record: CalibrationRecord }) {
  return (
    <table className="table score-table">
      <caption className="table-caption">
        Scores, lower is better: CRPS in posts, log score of the winning bucket
      </caption>
      <TableHead columns={['Forecaster', 'CRPS', 'Log score', 'Events']} />
      <tbody>
        {record.scores.map((line) => (
          <tr key={line.name} data-own={line.name === 'model' || undefined}>
            <th scope="row">{nameForecaster(line.name)}</th>
            <td className="num">{formatDecimal(line.crps, 2)}</td>
            <td className="num">{formatDecimal(line.bucket_log_score, 3)}</td>
            <td className="num">{line.sample_size}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
