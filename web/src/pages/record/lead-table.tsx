// Median error by lead time, with interval and sample size. A note explains why a longer lead looks better.

import type { RecordLead } from '../../api/records.ts';
import { ScrollTable } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatDecimal } from '../../words/format.ts';
import { EstimateCell } from './estimate-cell.tsx';
import { findOddLead } from './odd-lead.ts';

const percent = (value: number | null) => (value === null ? '–' : `${formatDecimal(value, 1)}%`);

export function LeadTable({ rows }: { rows: readonly RecordLead[] }) {
  const odd = findOddLead(rows);
  return (
    <div>
      <ScrollTable label="Median error by lead time">
        <table className="table lead-table">
          <caption className="table-caption">
            Median error by lead time, in percent of the final count, with 90% intervals
          </caption>
          <TableHead columns={['Before the close', 'Median', 'Events']} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.horizon}>
                <th scope="row" className="num">
                  {row.horizon} h
                </th>
                <EstimateCell mean={row.median_error_pct} low={row.low} high={row.high} format={percent} />
                <td className="num">{row.events}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
      {odd ? <p className="fine">{odd}</p> : null}
    </div>
  );
}
