// One event's positions with totals.

import { describeTerms, type PortfolioRecord, type PositionRecord } from '../../api/records.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Empty, Fact, Panel } from '../../ui/panel.tsx';
import { explainLowRange } from '../../words/deltas.ts';
import {
  formatCount,
  formatDecimal,
  formatPoints,
  formatPrice,
  formatProbability,
  formatSigned,
  formatSignedUsd,
  formatUsd,
} from '../../words/format.ts';
import { describeChanges } from '../../words/positions.ts';
import { signOf } from '../live/bucket-ladder.tsx';

export function EventPortfolio({ record }: { record: PortfolioRecord }) {
  if (!record.event)
    return (
      <Panel title="No open events">
        <Empty>{record.message ?? 'No active events.'}</Empty>
      </Panel>
    );
  const { portfolio, prediction } = record;
  const lowRange = prediction && explainLowRange(prediction.p5, prediction.real_counter);
  return (
    <Panel
      title={record.event.title}
      aside={
        prediction ? (
          <span className="fine num">
            count {formatCount(prediction.real_counter)}, forecast {formatCount(prediction.p50)} (
            {formatCount(prediction.p5)} to {formatCount(prediction.p95)})
          </span>
        ) : null
      }
    >
      <p className="event-terms">{describeTerms(record.event)}</p>
      {lowRange ? <p className="fine">{lowRange}</p> : null}
      <dl className="facts portfolio-facts">
        <Fact name="Positions" value={formatCount(portfolio.total_positions)} />
        <Fact name="Cost" value={formatUsd(portfolio.total_cost)} />
        <Fact name="Value now" value={formatUsd(portfolio.current_value)} />
        <Fact
          name="Profit or loss"
          value={formatSignedUsd(portfolio.total_pnl)}
          remark={`${formatSigned(portfolio.total_pnl_percent, 1)}%`}
          sign={signOf(portfolio.total_pnl)}
        />
      </dl>
      {record.positions.length === 0 ? (
        <Empty>{record.message ?? 'This wallet has no positions in this event.'}</Empty>
      ) : (
        <>
          <p className="portfolio-lead">
            {describeChanges(record.positions)}
            {record.event.market_url ? (
              <>
                {' '}
                <a href={record.event.market_url} rel="noreferrer" target="_blank">
                  Market page
                </a>
              </>
            ) : null}
          </p>
          <PositionTable event={record.event} positions={record.positions} />
        </>
      )}
    </Panel>
  );
}

interface TableProps {
  event: NonNullable<PortfolioRecord['event']>;
  positions: readonly PositionRecord[];
}

function PositionTable({ event, positions }: TableProps) {
  const marketUrl = event.market_url ?? null;
  return (
    <DataTable
      label={`Positions in ${event.title}`}
      className="table-cards"
      rows={positions}
      keyOf={(position) => `${position.bucket} ${position.outcome}`}
      marks={(position) => ({ 'data-bucket': position.bucket })}
      columns={[
        { name: 'Bucket', cell: nameBucket },
        {
          name: 'Advice',
          className: 'text wrap',
          cell: (position) => <PositionAdvice position={position} marketUrl={marketUrl} />,
        },
        ...NUMBERS,
      ]}
    />
  );
}

function nameBucket({ bucket, outcome }: PositionRecord) {
  return (
    <>
      {bucket} {outcome ? <span className="fine">{outcome}</span> : null}
    </>
  );
}

function PositionAdvice({ position, marketUrl }: { position: PositionRecord; marketUrl: string | null }) {
  const { advice, analysis, sizing } = position;
  if (!advice) return 'Closed';
  return (
    <AdviceText
      advice={advice}
      marketUrl={marketUrl}
      classified={{ signal: analysis.signal, recommendation: analysis.recommendation }}
    >
      {sizing ? (
        <p className="num">
          Target for this bankroll: {formatUsd(sizing.target_value)}, {formatSignedUsd(sizing.adjustment)}.
        </p>
      ) : null}
    </AdviceText>
  );
}

const NUMBERS: readonly DataColumn<PositionRecord>[] = [
  { name: 'Shares', cell: ({ tokens }) => formatDecimal(tokens, 1) },
  { name: 'Paid', cell: ({ avg_price }) => formatPrice(avg_price) },
  { name: 'Now', cell: ({ current_price }) => formatPrice(current_price) },
  { name: 'Value', cell: ({ current_value }) => formatUsd(current_value) },
  {
    name: 'P/L',
    sign: ({ pnl }) => signOf(pnl),
    cell: ({ pnl, pnl_percent }) => (
      <>
        {formatSignedUsd(pnl)} <span className="fine">{formatSigned(pnl_percent, 1)}%</span>
      </>
    ),
  },
  { name: 'Win chance', cell: ({ analysis }) => formatProbability(analysis.win_probability) },
  {
    name: 'Edge (pp)',
    sign: ({ analysis }) => signOf(analysis.edge),
    cell: ({ analysis }) => formatPoints(analysis.edge),
  },
];
