// One event's positions with totals.

import { describeTerms, type PortfolioRecord, type PositionRecord } from '../../api/records.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { Empty, Fact, Panel, ScrollTable, TableHead } from '../../ui/panel.tsx';
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
  return (
    <ScrollTable label={`Positions in ${event.title}`}>
      <table className="table table-cards">
        <TableHead
          columns={['Bucket', 'Advice', 'Shares', 'Paid', 'Now', 'Value', 'P/L', 'Win chance', 'Edge (pp)']}
          words={['Advice']}
        />
        <tbody>
          {positions.map((position) => (
            <PositionRow
              key={`${position.bucket} ${position.outcome}`}
              position={position}
              marketUrl={event.market_url ?? null}
            />
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function PositionRow({ position, marketUrl }: { position: PositionRecord; marketUrl: string | null }) {
  const { analysis, sizing } = position;
  return (
    <tr data-bucket={position.bucket}>
      <th scope="row" className="num">
        {position.bucket} {position.outcome ? <span className="fine">{position.outcome}</span> : null}
      </th>
      <td className="text wrap">
        {position.advice ? (
          <AdviceText
            advice={position.advice}
            marketUrl={marketUrl}
            classified={{ signal: analysis.signal, recommendation: analysis.recommendation }}
          >
            {sizing ? (
              <p className="num">
                Target for this bankroll: {formatUsd(sizing.target_value)},{' '}
                {formatSignedUsd(sizing.adjustment)}.
              </p>
            ) : null}
          </AdviceText>
        ) : (
          'Closed'
        )}
      </td>
      <td className="num" data-name="Shares">
        {formatDecimal(position.tokens, 1)}
      </td>
      <td className="num" data-name="Paid">
        {formatPrice(position.avg_price)}
      </td>
      <td className="num" data-name="Now">
        {formatPrice(position.current_price)}
      </td>
      <td className="num" data-name="Value">
        {formatUsd(position.current_value)}
      </td>
      <td className="num" data-name="P/L" data-sign={signOf(position.pnl)}>
        {formatSignedUsd(position.pnl)} <span className="fine">{formatSigned(position.pnl_percent, 1)}%</span>
      </td>
      <td className="num" data-name="Win chance">
        {formatProbability(analysis.win_probability)}
      </td>
      <td className="num" data-name="Edge (pp)" data-sign={signOf(analysis.edge)}>
        {formatPoints(analysis.edge)}
      </td>
    </tr>
  );
}
