// Model, market and blend on the same events, with intervals and sample sizes.

import type { RecordForecaster } from '../../api/records.ts';
import { Empty, ScrollTable } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatDecimal, formatPoints } from '../../words/format.ts';
import { EstimateCell } from './estimate-cell.tsx';

const NAMES = { model: 'Model', market: 'Market', blend: 'Blend' } as const;
const score = (value: number | null) => formatDecimal(value, 3);
const percent = (value: number | null) => (value === null ? '–' : `${formatPoints(value)}%`);

export function HeadToHead({ rows }: { rows: readonly RecordForecaster[] }) {
  if (rows.every((row) => row.log_score.events === 0)) {
    return <Empty>No settled event had market prices, so model and market can’t be compared.</Empty>;
  }
  const best = Math.min(...rows.map((row) => row.log_score.mean ?? Number.POSITIVE_INFINITY));
  return (
    <ScrollTable label="Model, market and blend">
      <table className="table head-to-head">
        <caption className="table-caption">
          Same events for all three, with 90% intervals; lower scores are better. The blend shifts market
          prices towards the model by the shipped weights.
        </caption>
        <TableHead columns={['Forecaster', 'Log score', 'CRPS (buckets)', 'Return', 'Events']} />
        <tbody>
          {rows.map(({ name, log_score, ranked_score, return_on_stake }) => (
            <tr key={name} data-own={log_score.mean === best || undefined}>
              <th scope="row">{NAMES[name]}</th>
              <EstimateCell {...log_score} format={score} />
              <EstimateCell {...ranked_score} format={score} />
              <EstimateCell {...return_on_stake} format={percent} />
              <td className="num">{log_score.events}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="fine">
        Return: a stake spread over the buckets in proportion to the forecast, at the prices shown, before
        fees.
      </p>
    </ScrollTable>
  );
}
