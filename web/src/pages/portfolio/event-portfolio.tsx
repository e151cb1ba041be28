// One event's positions: a verdict, what they are worth, and the probability that they win.

import type { PortfolioRecord, PositionRecord } from '../../api/records.ts';
import { useTerms } from '../../live/live-context.tsx';
import { AdviceText } from '../../ui/advice-text.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import {
  formatCount,
  formatDecimal,
  formatPrice,
  formatSignedUsd,
  formatUsd,
  signOf,
} from '../../words/format.ts';
import { describeChanges, winChanceOf } from '../../words/positions.ts';

export type HeldEvent = PortfolioRecord & { event: NonNullable<PortfolioRecord['event']> };

export function EventPortfolio({ record }: { record: HeldEvent }) {
  const { event, positions, prediction, message } = record;
  const terms = useTerms()(event);
  const changes = describeChanges(positions);
  return (
    <Panel
      title={event.title}
      aside={
        prediction ? (
          <span className="fine num">
            count {formatCount(prediction.real_counter)}, forecast {formatCount(prediction.p50)} (
            {formatCount(prediction.p5)} to {formatCount(prediction.p95)}){' '}
            {event.market_url ? (
              <a href={event.market_url} rel="noreferrer" target="_blank">
                Market page
              </a>
            ) : null}
          </span>
        ) : null
      }
    >
      {terms ? <p className="event-terms">{terms}</p> : null}
      {message ? <p className="fine">{message}</p> : null}
      {changes ? <p className="portfolio-lead">{changes}</p> : null}
      <DataTable
        label={`Positions in ${event.title}`}
        className="table-cards"
        rows={positions}
        keyOf={(position) => `${position.bucket} ${position.outcome}`}
        marks={(position) => ({ 'data-bucket': position.bucket })}
        columns={[
          { name: 'Position', className: 'text', cell: nameShares },
          {
            name: 'Advice',
            className: 'text wrap',
            cell: (position) => <PositionAdvice position={position} marketUrl={event.market_url ?? null} />,
          },
          ...NUMBERS,
        ]}
      />
    </Panel>
  );
}

function nameShares({ bucket, outcome, tokens }: PositionRecord) {
  return (
    <>
      {bucket} {outcome} <span className="fine num">{formatDecimal(tokens, 1)} shares</span>
    </>
  );
}

function PositionAdvice({ position, marketUrl }: { position: PositionRecord; marketUrl: string | null }) {
  const { advice, sizing } = position;
  if (!advice) return 'No forecast yet';
  return (
    <AdviceText advice={advice} marketUrl={marketUrl} isHeld>
      {sizing ? (
        <p className="num">
          Target for this bankroll: {formatUsd(sizing.target_value)}, {formatSignedUsd(sizing.adjustment)}.
        </p>
      ) : null}
    </AdviceText>
  );
}

const NUMBERS: readonly DataColumn<PositionRecord>[] = [
  { name: 'Paid', cell: ({ avg_price }) => formatPrice(avg_price) },
  { name: 'Price', cell: ({ current_price }) => formatPrice(current_price) },
  { name: 'Win chance', percent: winChanceOf },
  { name: 'Value', cell: ({ current_value }) => formatUsd(current_value) },
  {
    name: 'P/L',
    className: 'num strong',
    sign: ({ pnl }) => signOf(Math.round(pnl * 100)),
    cell: ({ pnl }) => formatSignedUsd(pnl),
  },
];
