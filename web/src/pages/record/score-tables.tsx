// The tables of a record section: model, market and blend; error by lead time.

import type { RecordForecaster, RecordLead } from '../../api/records.ts';
import { Empty, ScrollTable, TableHead } from '../../ui/panel.tsx';
import { formatDecimal, formatPoints } from '../../words/format.ts';
import { findOddLead } from './record-words.ts';

const NAMES = { model: 'Model', market: 'Market', blend: 'Blend' } as const;
const score = (value: number | null) => formatDecimal(value, 3);
const signedPercent = (value: number | null) => (value === null ? '–' : `${formatPoints(value)}%`);

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
          prices towards the model by weights learned from events that had ended by then.
        </caption>
        <TableHead columns={['Forecaster', 'Log score', 'CRPS (buckets)', 'Return', 'Events']} />
        <tbody>
          {rows.map(({ name, log_score, ranked_score, return_on_stake }) => (
            <tr key={name} data-own={log_score.mean === best || undefined}>
              <th scope="row">{NAMES[name]}</th>
              <EstimateCell {...log_score} format={score} />
              <EstimateCell {...ranked_score} format={score} />
              <EstimateCell {...return_on_stake} format={signedPercent} />
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

interface EstimateProps {
  mean: number | null;
  low: number | null;
  high: number | null;
  format: (value: number | null) => string;
}

function EstimateCell({ mean, low, high, format }: EstimateProps) {
  return (
    <td className="num">
      <span className="strong">{format(mean)}</span>
      <span className="estimate-range">{low === null ? '–' : `${format(low)} to ${format(high)}`}</span>
    </td>
  );
}
