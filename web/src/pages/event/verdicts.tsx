// Past advice for an event, with its outcome.

import type { CourseRecord, LedgerEntry } from '../../api/records.ts';
import { Empty, Panel, ScrollTable } from '../../ui/panel.tsx';
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
        <ScrollTable label="Past advice table">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Bought</th>
                <th scope="col">Model</th>
                <th scope="col">Cost</th>
                <th scope="col">Stake</th>
                <th scope="col">Outcome</th>
                <th scope="col">P/L</th>
              </tr>
            </thead>
            <tbody>
              {signals.map((signal) => (
                <tr key={`${signal.timestamp} ${signal.bucket} ${signal.strategy}`}>
                  <th scope="row" className="num">
                    <button type="button" className="link-button" onClick={() => onMoment(signal.timestamp)}>
                      {formatDayTime(signal.timestamp)}
                    </button>
                  </th>
                  <td className="num">{signal.bucket}</td>
                  <td className="num">{formatProbability(signal.model_prob)}</td>
                  <td className="num">{formatCents(signal.cost_per_share)}</td>
                  <td className="num">{formatUsd(signal.stake)}</td>
                  <td>{signal.won === null ? 'open' : signal.won ? 'won' : 'lost'}</td>
                  <td className="num" data-sign={signOf(signal.pnl)}>
                    {formatSignedUsd(signal.pnl)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollTable>
      ) : null}
    </Panel>
  );
}

/** Explains an empty list: advice needs prices, and is recorded 72, 48, 24 and 6 hours before the end. */
function explainNone({ settlement, points }: CourseRecord): string {
  const hadPrices = points.some(({ market_prices }) => market_prices.some((price) => price !== null));
  if (!hadPrices) return 'No prices were recorded for this event, so there was no advice.';
  if (!settlement) return 'No advice recorded yet.';
  return 'No trade was advised 72, 48, 24 or 6 hours before the end.';
}
