// Every recorded forecaster, best first, losers included.

import type { RecordMember } from '../../api/records.ts';
import { ScrollTable } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatDecimal } from '../../words/format.ts';
import { nameForecaster } from './forecaster-names.ts';
import { formatRange } from './head-to-head.tsx';

export function MembersTable({ rows }: { rows: readonly RecordMember[] }) {
  return (
    <ScrollTable label="All forecasters">
      <table className="table members-table">
        <caption className="table-caption">All forecasters, best first: CRPS in posts</caption>
        <TableHead columns={['Forecaster', 'CRPS', '90% interval', 'Log score', 'Events']} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-own={row.name === 'model' || undefined}>
              <th scope="row">{nameForecaster(row.name)}</th>
              <td className="num strong">{formatDecimal(row.crps.mean, 2)}</td>
              <td className="num">{formatRange(row.crps, 2)}</td>
              <td className="num">{formatDecimal(row.log_score.mean, 3)}</td>
              <td className="num">{Math.max(row.crps.events, row.log_score.events)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}
