// Paper trades: every recorded BUY at its executable cost. Hidden if there are none.

import type { LedgerEntry, LedgerRecord } from '../../api/records.ts';
import { Drawing, ShareAxis, ValueAxis } from '../../chart/drawing.tsx';
import { useTerms } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { hrefTo } from '../../route.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Fact, Failure, Panel, QuietLine } from '../../ui/panel.tsx';
import {
  formatCount,
  formatDay,
  formatDayTime,
  formatPoints,
  formatProbability,
  formatSignedUsd,
  formatUsd,
  plural,
  signOf,
} from '../../words/format.ts';

export function LedgerPanel({ account }: { account: string | undefined }) {
  const { data, error } = useFetched<LedgerRecord>({ path: '/performance/ledger', query: { account } });
  if (error?.status === 404 || (!data && !error)) return null;
  if (!data) return <Failure error={error!} />;
  const trades = data.data.filter(isCountedOnce);
  return (
    <>
      {error ? <Failure error={error} hasOld /> : null}
      {trades.length === 0 ? (
        <QuietLine title="Paper ledger">
          No settled advice yet. Advice is recorded 72, 48, 24 and 6 hours before an event ends.
        </QuietLine>
      ) : (
        <Panel
          title="Paper ledger"
          aside={<span className="fine">suggested stakes, after fees, newest first</span>}
        >
          <LedgerSummary summary={data.summary} />
          {data.summary.bets > 1 ? <ProfitLine entries={trades} /> : null}
          <LedgerTable rows={trades} />
        </Panel>
      )}
      {data.recomputed.events > 0 ? <RecomputedLedger ledger={data.recomputed} /> : null}
    </>
  );
}

/** A strategy that repeats its bucket's trade would count the same money twice. */
function isCountedOnce({ is_repeat }: LedgerEntry): boolean {
  return !is_repeat;
}

function RecomputedLedger({ ledger }: { ledger: LedgerRecord['recomputed'] }) {
  const trades = ledger.data.filter(isCountedOnce);
  if (trades.length === 0)
    return (
      <QuietLine title="What would have been advised">
        Nothing in {plural(ledger.events, 'past event')}: no edge was proven at the time.
      </QuietLine>
    );
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
      {trades.length > 1 ? <ProfitLine entries={trades} /> : null}
      <LedgerTable rows={trades} />
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
        value={summary.closing_line_value === null ? '–' : `${formatPoints(summary.closing_line_value)}¢`}
        remark={`a share, ${plural(summary.closing_line_sample, 'trade')}`}
      />
    </dl>
  );
}

function LedgerTable({ rows }: { rows: readonly LedgerEntry[] }) {
  const termsOf = useTerms();
  return (
    <DataTable
      label="Paper trade table"
      scrollClassName="ledger"
      rows={rows}
      keyOf={(row) => `${row.event_id} ${row.bucket} ${row.horizon} ${row.strategy}`}
      columns={[
        { name: 'When', cell: ({ timestamp }) => formatDayTime(timestamp) },
        {
          name: 'Event',
          cell: ({ account, event_id }) => <a href={hrefTo('event', account, event_id)}>{event_id}</a>,
        },
        ...(rows.some(termsOf) ? [{ name: 'Venue and rule', className: 'text', cell: termsOf }] : []),
        {
          name: 'Bought',
          cell: ({ bucket, strategy }) => `${strategy === 'BUY_NO' ? 'No' : 'Yes'} ${bucket}`,
        },
        { name: 'Model', percent: ({ model_prob }) => model_prob },
        { name: 'Price', percent: ({ market_price }) => market_price },
        { name: 'Stake', cell: ({ stake }) => formatUsd(stake) },
        { name: 'Outcome', className: '', cell: ({ won }) => (won === null ? 'open' : won ? 'won' : 'lost') },
        { name: 'P/L', sign: ({ pnl }) => signOf(pnl), cell: ({ pnl }) => formatSignedUsd(pnl) },
      ]}
    />
  );
}

const HEIGHT = 160;
const PAD = { left: 64, right: 12, top: 10, bottom: 26 };

function ProfitLine({ entries }: { entries: readonly LedgerEntry[] }) {
  const points = sumProfits(entries);
  const last = points.at(-1)!;
  const low = Math.min(0, ...points.map((point) => point.total));
  const high = Math.max(0, ...points.map((point) => point.total));
  const fromTs = points[0]!.ts;
  return (
    <Drawing label={`Running profit: ${formatSignedUsd(last.total)}`} pad={PAD} height={HEIGHT}>
      {(frame) => {
        const xOf = (ts: number) => frame.xOf((ts - fromTs) / (last.ts - fromTs || 1));
        const yOf = (usd: number) => frame.yOf((usd - low) / (high - low || 1));
        const path = points.map(({ ts, total }, i) =>
          i === 0 ? `M${xOf(ts)} ${yOf(total)}` : `H${xOf(ts)}V${yOf(total)}`,
        );
        const ticks = [...new Set([low, 0, high])];
        return (
          <>
            <ValueAxis frame={frame} ticks={ticks} yOf={yOf} format={formatUsd} gap={8} />
            <path className="profit" d={path.join('')} />
            <ShareAxis
              frame={frame}
              y={HEIGHT - 6}
              format={(share) => formatDay(share === 0 ? fromTs : last.ts)}
              ends
            />
          </>
        );
      }}
    </Drawing>
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
