// Paper trades: every recorded BUY at its executable cost. Hidden if there are none.

import { describeTerms, type LedgerEntry, type LedgerRecord } from '../../api/records.ts';
import { useWidth } from '../../chart/use-width.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Empty, Fact, Failure, Panel, ScrollTable, TableHead } from '../../ui/panel.tsx';
import {
  formatCount,
  formatDay,
  formatDayTime,
  formatPoints,
  formatProbability,
  formatSignedUsd,
  formatUsd,
  plural,
} from '../../words/format.ts';
import { signOf } from '../live/bucket-ladder.tsx';

export function LedgerPanel({ account }: { account: string | undefined }) {
  const { data, error } = useFetched<LedgerRecord>({ path: '/performance/ledger', query: { account } });
  if (error?.status === 404 || (!data && !error)) return null;
  return (
    <>
      <Panel
        title="Paper ledger"
        aside={<span className="fine">suggested stakes, after fees, newest first</span>}
      >
        {error ? <Failure error={error} hasOld={data !== null} /> : null}
        {data ? <LedgerSummary summary={data.summary} /> : null}
        {data && data.summary.bets > 1 ? <ProfitLine entries={data.data} /> : null}
        {data?.data.length === 0 ? (
          <Empty>
            No settled advice yet. Advice is recorded 72, 48, 24 and 6 hours before an event ends.
          </Empty>
        ) : null}
        {data?.data.length ? <LedgerTable rows={data.data} /> : null}
      </Panel>
      {data && data.recomputed.events > 0 ? <RecomputedLedger ledger={data.recomputed} /> : null}
    </>
  );
}

function RecomputedLedger({ ledger }: { ledger: LedgerRecord['recomputed'] }) {
  return (
    <Panel
      title="What would have been advised"
      aside={<span className="fine num">{plural(ledger.events, 'past event')}</span>}
    >
      <p className="fine">
        Recomputed with the evidence of earlier events, at the midpoint plus 1¢ and the fee; never published,
        not part of the paper ledger.
      </p>
      <LedgerSummary summary={ledger.summary} />
      {ledger.data.length > 1 ? <ProfitLine entries={ledger.data} /> : null}
      {ledger.data.length > 0 ? (
        <LedgerTable rows={ledger.data} />
      ) : (
        <Empty>Nothing: no edge was proven at the time.</Empty>
      )}
    </Panel>
  );
}

function LedgerSummary({ summary }: { summary: LedgerRecord['summary'] }) {
  const { return_low: low, return_high: high } = summary;
  return (
    <dl className="facts portfolio-facts">
      <Fact
        name="Settled trades"
        value={formatCount(summary.bets)}
        remark={plural(summary.events, 'event')}
      />
      <Fact name="Staked" value={formatUsd(summary.staked)} />
      <Fact name="Profit or loss" value={formatSignedUsd(summary.pnl)} sign={signOf(summary.pnl)} />
      <Fact
        name="Return on stake"
        value={formatProbability(summary.return_on_stake)}
        remark={low === null ? '' : `90% interval ${formatProbability(low)} to ${formatProbability(high)}`}
      />
      <Fact name="Max drawdown" value={formatUsd(summary.max_drawdown)} />
      <Fact
        name="Closing-line value"
        value={formatPoints(summary.closing_line_value)}
        remark={plural(summary.closing_line_sample, 'trade')}
      />
    </dl>
  );
}

function LedgerTable({ rows }: { rows: readonly LedgerEntry[] }) {
  return (
    <ScrollTable label="Paper trade table" className="ledger">
      <table className="table">
        <TableHead
          columns={['When', 'Event', 'Venue and rule', 'Bucket', 'Model', 'Price', 'Stake', 'Outcome', 'P/L']}
          words={['Venue and rule']}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.event_id} ${row.bucket} ${row.horizon} ${row.strategy}`}>
              <th scope="row" className="num">
                {formatDayTime(row.timestamp)}
              </th>
              <td className="num">{row.event_id}</td>
              <td className="text">{describeTerms(row)}</td>
              <td className="num">{row.bucket}</td>
              <td className="num">{formatProbability(row.model_prob)}</td>
              <td className="num">{formatProbability(row.market_price)}</td>
              <td className="num">{formatUsd(row.stake)}</td>
              <td>{row.won === null ? 'open' : row.won ? 'won' : 'lost'}</td>
              <td className="num" data-sign={signOf(row.pnl)}>
                {formatSignedUsd(row.pnl)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

const HEIGHT = 160;
const PAD = { left: 64, right: 12, top: 10, bottom: 26 };

function ProfitLine({ entries }: { entries: readonly LedgerEntry[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const points = sumProfits(entries);
  const last = points.at(-1)!;
  const low = Math.min(0, ...points.map((point) => point.total));
  const high = Math.max(0, ...points.map((point) => point.total));
  const length = high - low || 1;
  const fromTs = points[0]!.ts;
  const spanMs = last.ts - fromTs || 1;
  const xOf = (ts: number) => PAD.left + ((ts - fromTs) / spanMs) * (width - PAD.left - PAD.right);
  const yOf = (usd: number) => PAD.top + ((high - usd) / length) * (HEIGHT - PAD.top - PAD.bottom);
  const path = points.map(({ ts, total }, i) =>
    i === 0 ? `M${xOf(ts)} ${yOf(total)}` : `H${xOf(ts)}V${yOf(total)}`,
  );
  return (
    <div ref={ref} className="drawing">
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Running profit: ${formatSignedUsd(last.total)}`}
      >
        {[...new Set([low, 0, high])].map((usd) => (
          <g key={usd} className="axis">
            <line x1={PAD.left} x2={width - PAD.right} y1={yOf(usd)} y2={yOf(usd)} />
            <text x={PAD.left - 8} y={yOf(usd) + 4} textAnchor="end">
              {formatUsd(usd)}
            </text>
          </g>
        ))}
        <path className="profit" d={path.join('')} />
        <text className="axis-label" x={PAD.left} y={HEIGHT - 6}>
          {formatDay(fromTs)}
        </text>
        <text className="axis-label" x={width - PAD.right} y={HEIGHT - 6} textAnchor="end">
          {formatDay(last.ts)}
        </text>
      </svg>
    </div>
  );
}

function sumProfits(entries: readonly LedgerEntry[]): { ts: number; total: number }[] {
  let total = 0;
  return entries
    .filter((entry) => entry.pnl !== null)
    .map((entry) => ({ ts: entry.settled_ts ?? entry.timestamp, pnl: entry.pnl ?? 0 }))
    .sort((left, right) => left.ts - right.ts)
    .map(({ ts, pnl }) => ({ ts, total: (total += pnl) }));
}
