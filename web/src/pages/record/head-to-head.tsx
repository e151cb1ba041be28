// Model, market and blend on the same events, with intervals and sample sizes.

import type { RecordEstimate, RecordForecaster } from '../../api/records.ts';
import { Empty, ScrollTable } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatDecimal } from '../../words/format.ts';

const NAMES = { model: 'Model', market: 'Market', blend: 'Blend' } as const;

export function HeadToHead({ rows }: { rows: readonly RecordForecaster[] }) {
  if (rows.every((row) => row.log_score.events === 0)) {
    return <Empty>No settled event had market prices: model and market can’t be compared.</Empty>;
  }
  const best = Math.min(...rows.map((row) => row.log_score.mean ?? Number.POSITIVE_INFINITY));
  return (
    <ScrollTable label="Model, market and blend">
      <table className="table head-to-head">
        <caption className="table-caption">
          Same events, lower is better. Blend: market moved towards the model by shipped weights.
        </caption>
        <TableHead
          columns={['Forecaster', 'Log score', '90% interval', 'CRPS, buckets', '90% interval', 'Events']}
        />
        <tbody>
          {rows.map(({ name, log_score, ranked_score }) => (
            <tr key={name} data-own={log_score.mean === best || undefined}>
              <th scope="row">{NAMES[name]}</th>
              <td className="num strong">{formatDecimal(log_score.mean, 3)}</td>
              <td className="num">{formatRange(log_score, 3)}</td>
              <td className="num strong">{formatDecimal(ranked_score.mean, 3)}</td>
              <td className="num">{formatRange(ranked_score, 3)}</td>
              <td className="num">{log_score.events}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

export function formatRange({ low, high }: Pick<RecordEstimate, 'low' | 'high'>, digits: number): string {
  if (low === null || high === null) return '–';
  return `${formatDecimal(low, digits)} to ${formatDecimal(high, digits)}`;
}
