// Paper trades: every BUY that stood, at the cost it could be had for. Left out where the service has none.

import type { Envelope, LedgerEntry } from '../../api/records.ts';
import { useFetched } from '../../api/use-fetched.ts';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel, ScrollTable } from '../../ui/panel.tsx';
import { formatDayTime, formatProbability, formatSignedUsd, formatUsd, plural } from '../../words/format.ts';
import { signOf } from '../live/bucket-ladder.tsx';

export function LedgerPanel({ account }: { account: string | undefined }) {
  const { data, error } = useFetched<Envelope<LedgerEntry[]>>({
    path: '/performance/ledger',
    query: { account },
  });
  if (error?.status === 404 || (!data && !error)) return null;
  const rows = data?.data ?? [];
  const settled = rows.filter((row) => row.pnl !== null);
  const total = settled.reduce((sum, row) => sum + (row.pnl ?? 0), 0);
  return (
    <Panel
      title="Paper ledger"
      aside={
        <span className="fine num">
          {plural(settled.length, 'settled trade')}, {formatSignedUsd(total)}
        </span>
      }
    >
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {rows.length === 0 ? <Empty>No signal has been worth buying yet.</Empty> : <LedgerTable rows={rows} />}
    </Panel>
  );
}

function LedgerTable({ rows }: { rows: readonly LedgerEntry[] }) {
  return (
    <ScrollTable label="Paper trades" className="ledger">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Event</th>
            <th scope="col">Bucket</th>
            <th scope="col">Model</th>
            <th scope="col">Price</th>
            <th scope="col">Stake</th>
            <th scope="col">Outcome</th>
            <th scope="col">P/L</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.event_id} ${row.bucket} ${row.horizon} ${row.strategy}`}>
              <th scope="row" className="num">
                {formatDayTime(row.timestamp)}
              </th>
              <td className="num">{row.event_id}</td>
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
