// Past advice for an event, with its outcome: everything published, and the signals at the scored horizons.

import type { CourseRecord, LedgerEntry, RememberedAdvice } from '../../api/records.ts';
import { LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import {
  formatCents,
  formatDayTime,
  formatLength,
  formatSignedUsd,
  formatUsd,
  signOf,
} from '../../words/format.ts';

interface Props {
  signals: readonly LedgerEntry[];
  course: CourseRecord;
  onMoment: (ts: number) => void;
}

export function Verdicts({ signals, course, onMoment }: Props) {
  const { advice = [] } = course;
  return (
    <Panel title="Past advice" className="verdicts">
      {signals.length + advice.length === 0 ? <Empty>{explainNone(course)}</Empty> : null}
      {advice.length > 0 ? <Published advice={advice} onMoment={onMoment} /> : null}
      {signals.length > 0 ? (
        <DataTable
          label="Signals at scored horizons"
          caption="Recorded 72, 48, 24 and 6 hours before the end, for the paper ledger"
          rows={signals}
          keyOf={(signal) => `${signal.timestamp} ${signal.bucket} ${signal.strategy}`}
          columns={[
            {
              name: 'When',
              cell: ({ timestamp }) => (
                <LinkButton onClick={() => onMoment(timestamp)}>{formatDayTime(timestamp)}</LinkButton>
              ),
            },
            { name: 'Bought', cell: ({ bucket }) => bucket },
            { name: 'Model', percent: ({ model_prob }) => model_prob },
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

interface PublishedProps extends Pick<Props, 'onMoment'> {
  advice: readonly RememberedAdvice[];
}

function Published({ advice, onMoment }: PublishedProps) {
  return (
    <DataTable
      label="Past advice table"
      rows={advice}
      keyOf={({ since_ts, bucket, verdict }) => `${since_ts} ${bucket} ${verdict}`}
      marks={({ outcome }) => ({ 'data-outcome': outcome })}
      columns={[
        {
          name: 'When',
          cell: ({ since_ts }) => (
            <LinkButton onClick={() => onMoment(since_ts)}>{formatDayTime(since_ts)}</LinkButton>
          ),
        },
        { name: 'Advice', className: 'text', cell: ({ verdict, bucket }) => `${ORDERS[verdict]} ${bucket}` },
        { name: 'Limit', cell: ({ limit_price }) => formatCents(limit_price) },
        {
          name: 'For',
          cell: ({ since_ts, ended_ts }) => (ended_ts === null ? 'still' : formatLength(ended_ts - since_ts)),
        },
        { name: 'At its end', cell: ({ price_at_end }) => formatCents(price_at_end) },
        { name: 'Now', cell: ({ price_now }) => formatCents(price_now) },
        { name: 'Outcome', className: '', cell: ({ outcome }) => outcome },
        {
          name: 'Per share',
          sign: ({ gain_per_share }) => signOf(gain_per_share),
          cell: ({ gain_per_share }) => formatSignedUsd(gain_per_share),
        },
      ]}
    />
  );
}

const ORDERS: Record<RememberedAdvice['verdict'], string> = { BUY_YES: 'Yes', BUY_NO: 'No', EXIT: 'Sell' };

function nameOutcome(won: boolean | null): string {
  if (won === null) return 'open';
  return won ? 'won' : 'lost';
}

/** Explains an empty list. */
function explainNone({ settlement, points }: CourseRecord): string {
  const hadPrices = points.some(({ market_prices }) => market_prices.some((price) => price !== null));
  if (!hadPrices) return 'No prices were recorded for this event, so there was no advice.';
  return settlement ? 'No trade was advised.' : 'No trade has been advised so far.';
}
