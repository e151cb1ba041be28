// Every recorded forecaster, best first, losers included.

import type { RecordMember } from '../../api/records.ts';
import { ScrollTable } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatDecimal } from '../../words/format.ts';
import { EstimateCell } from './estimate-cell.tsx';
import { nameForecaster } from './forecaster-names.ts';

export function MembersTable({ rows }: { rows: readonly RecordMember[] }) {
  return (
    <ScrollTable label="All forecasters">
      <table className="table members-table">
        <caption className="table-caption">
          Model, its members and baselines, best first: CRPS in posts, 90% intervals
        </caption>
        <TableHead columns={['Forecaster', 'CRPS', 'Log score', 'Events']} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-own={row.name === 'model' || undefined}>
              <th scope="row">{nameForecaster(row.name)}</th>
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
