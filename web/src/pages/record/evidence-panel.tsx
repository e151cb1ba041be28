// What today's advice rests on: events by origin, never added up, and how much of the weight is the prior.

import type { RecordAnswer } from '../../api/records.ts';
import { useLabels } from '../../live/live-context.tsx';
import { Panel, ScrollTable, TableHead } from '../../ui/panel.tsx';
import { formatDecimal } from '../../words/format.ts';

type Evidence = RecordAnswer['evidence'][number];

export function EvidencePanel({ rows }: { rows: readonly Evidence[] }) {
  const labelOf = useLabels();
  return (
    <Panel title="What the advice rests on" className="evidence-panel">
      <ScrollTable label="Evidence by account">
        <table className="table">
          <caption className="table-caption">
            Weight of the model against the market: 0 is the market alone, 1 the model alone; 90% intervals
          </caption>
          <TableHead
            columns={[
              ...['Account', 'Past events', 'Our own', 'Shipped', 'Prior'],
              ...['Model above', 'Model below', 'Events alone'],
            ]}
          />
          <tbody>
            {rows.map((row) => (
              <tr key={row.account}>
                <th scope="row">{labelOf(row.account)}</th>
                <td className="num">{row.past_events}</td>
                <td className="num">{row.own_events}</td>
                <td className="num">{row.shipped_ladders}</td>
                <td className="num">{formatDecimal(100 * row.prior_share, 0)}%</td>
                {[...row.weights, row.unaided].map((estimate, i) => (
                  <WeightCell key={i === 2 ? 'alone' : row.weights[i]!.side} estimate={estimate} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
      <ul className="fine">
        {rows.map(({ account, sentence }) => (
          <li key={account}>
            {labelOf(account)}: {sentence}
          </li>
        ))}
      </ul>
      <p className="fine">
        Past events were read from the venue and recomputed with data available at the time; our own were
        published before the outcome. Events of other accounts count half.
      </p>
    </Panel>
  );
}

function WeightCell({ estimate }: { estimate: { weight: number; low: number; high: number } | null }) {
  if (!estimate) return <td className="num">–</td>;
  const { weight, low, high } = estimate;
  return (
    <td className="num">
      <span className="strong">{formatDecimal(weight, 2)}</span>
      <span className="estimate-range">
        {formatDecimal(low, 2)} to {formatDecimal(high, 2)}
      </span>
    </td>
  );
}
