// The tables of a record section: model, market and blend; error by lead time.

import type { RecordForecaster, RecordLead } from '../../api/records.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/panel.tsx';
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
    <div>
      <DataTable
        label="Model, market and blend"
        caption="Same events for all three, with 90% intervals; lower scores are better. The blend shifts market prices towards the model by weights learned from events that had ended by then."
        rows={rows}
        keyOf={({ name }) => name}
        marks={({ log_score }) => ({ 'data-own': log_score.mean === best || undefined })}
        columns={[
          { name: 'Forecaster', className: '', cell: ({ name }) => NAMES[name] },
          { name: 'Log score', cell: ({ log_score }) => <Estimate {...log_score} format={score} /> },
          {
            name: 'CRPS (buckets)',
            cell: ({ ranked_score }) => <Estimate {...ranked_score} format={score} />,
          },
          {
            name: 'Return',
            cell: ({ return_on_stake }) => <Estimate {...return_on_stake} format={signedPercent} />,
          },
          { name: 'Events', cell: ({ log_score }) => log_score.events },
        ]}
      />
      <p className="fine">
        Return: a stake spread over the buckets in proportion to the forecast, at the prices shown, before
        fees.
      </p>
    </div>
  );
}

const percent = (value: number | null) => (value === null ? '–' : `${formatDecimal(value, 1)}%`);

export function LeadTable({ rows }: { rows: readonly RecordLead[] }) {
  const odd = findOddLead(rows);
  return (
    <div>
      <DataTable
        label="Median error by lead time"
        caption="Median error by lead time, in percent of the final count, with 90% intervals"
        rows={rows}
        keyOf={({ horizon }) => horizon}
        columns={[
          { name: 'Before the close', cell: ({ horizon }) => `${horizon} h` },
          {
            name: 'Median',
            cell: ({ median_error_pct: mean, low, high }) => (
              <Estimate mean={mean} low={low} high={high} format={percent} />
            ),
          },
          { name: 'Events', cell: ({ events }) => events },
        ]}
      />
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

export function Estimate({ mean, low, high, format }: EstimateProps) {
  return (
    <>
      <span className="strong">{format(mean)}</span>
      <span className="estimate-range">{low === null ? '–' : `${format(low)} to ${format(high)}`}</span>
    </>
  );
}
