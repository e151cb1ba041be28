// Every recorded forecaster, best first, with its interval drawn as a whisker.

import type { RecordMember } from '../../api/records.ts';
import { ScrollTable } from '../../ui/panel.tsx';
import { formatDecimal } from '../../words/format.ts';
import { EstimateCell } from './estimate-cell.tsx';
import { nameForecaster } from './forecaster-names.ts';

type Estimate = RecordMember['crps'];

export function MembersTable({ rows }: { rows: readonly RecordMember[] }) {
  const ends = rows.flatMap(({ crps }) => [crps.low ?? crps.mean ?? 0, crps.high ?? crps.mean ?? 0]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const placeOf = (score: number) => 2 + (96 * (score - least)) / (most - least || 1);
  return (
    <ScrollTable label="All forecasters">
      <table className="table members-table">
        <caption className="table-caption">
          The model, its members and the baselines, best first. Lower scores are better; 90% intervals.
        </caption>
        <thead>
          <tr>
            <th scope="col">Forecaster</th>
            <th scope="col" className="whisker">
              <span className="visually-hidden">CRPS chart</span>
            </th>
            <th scope="col">CRPS (posts)</th>
            <th scope="col">Log score</th>
            <th scope="col">Events</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-own={row.name === 'model' || undefined}>
              <th scope="row">{nameForecaster(row.name)}</th>
              <td className="whisker">
                <Whisker estimate={row.crps} placeOf={placeOf} />
              </td>
              <EstimateCell {...row.crps} format={(value) => formatDecimal(value, 2)} />
              <EstimateCell {...row.log_score} format={(value) => formatDecimal(value, 3)} />
              <td className="num">{Math.max(row.crps.events, row.log_score.events)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function Whisker({ estimate, placeOf }: { estimate: Estimate; placeOf: (score: number) => number }) {
  const { mean, low, high } = estimate;
  if (mean === null) return null;
  return (
    <svg aria-hidden="true">
      {low === null || high === null ? null : (
        <line className="interval" x1={`${placeOf(low)}%`} x2={`${placeOf(high)}%`} y1="50%" y2="50%" />
      )}
      <circle className="dot" cx={`${placeOf(mean)}%`} cy="50%" r={4.5} />
    </svg>
  );
}
