// Past advice for an event, with its outcome.

import type { CourseRecord, LedgerEntry } from '../../api/records.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import {
  formatCents,
  formatDayTime,
  formatProbability,
  formatSignedUsd,
  formatUsd,
} from '../../words/format.ts';
import { signOf } from '../live/bucket-ladder.tsx';

interface Props {
  signals: readonly LedgerEntry[];
  course: CourseRecord;
  onMoment: (ts: number) => void;
}

export function Verdicts({ signals, course, onMoment }: Props) {
  return (
    <Panel title="Past advice" className="verdicts">
      {signals.length === 0 ? <Empty>{explainNone(course)}</Empty> : null}
      {signals.length > 0 ? (
        <DataTable
          label="Past advice table"
          rows={signals}
          keyOf={(signal) => `${signal.timestamp} ${signal.bucket} ${signal.strategy}`}
          columns={[
            {
              name: 'When',
              cell: ({ timestamp }) => (
                <button type="button" className="link-button" onClick={() => onMoment(timestamp)}>
                  {formatDayTime(timestamp)}
                </button>
              ),
            },
            { name: 'Bought', cell: ({ bucket }) => bucket },
            { name: 'Model', cell: ({ model_prob }) => formatProbability(model_prob) },
            { name: 'Cost', cell: ({ cost_per_share }) => formatCents(cost_per_share) },
            { name: 'Stake', cell: ({ stake }) => formatUsd(stake) },
            { name: 'Outcome', className: '', cell: ({ won }) => nameOutcome(won) },
            { name: 'P/L', sign: ({ pnl }) => signOf(pnl), cell: ({ pnl }) => formatSignedUsd(pnl) },
          ]}
        />
      ) : null}
    </Panel>
  );
}

function nameOutcome(won: boolean | null): string {
  if (won === null) return 'open';
  return won ? 'won' : 'lost';
}

/** Explains an empty list: advice needs prices, and is recorded 72, 48, 24 and 6 hours before the end. */
function explainNone({ settlement, points }: CourseRecord): string {
  const hadPrices = points.some(({ market_prices }) => market_prices.some((price) => price !== null));
  if (!hadPrices) return 'No prices were recorded for this event, so there was no advice.';
  if (!settlement) return 'No advice recorded yet.';
  return 'No trade was advised 72, 48, 24 or 6 hours before the end.';
}
