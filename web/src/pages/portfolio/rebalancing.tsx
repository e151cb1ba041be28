// Lists positions to resize by at least a threshold. The service supports this for one account only.

import { useState } from 'react';
import { describeTerms, type Envelope, type RebalancingRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { SignalTag } from '../../ui/advice-text.tsx';
import { Choice, Empty, Failure, Panel, ScrollTable, TableHead } from '../../ui/panel.tsx';
import {
  formatDecimal,
  formatPoints,
  formatProbability,
  formatUsd,
  joinReasons,
} from '../../words/format.ts';
import { signOf } from '../live/bucket-ladder.tsx';

const THRESHOLDS = [1, 5, 20, 100].map((usd) => ({ value: usd, label: `$${usd}` }));

interface Props {
  account: string;
  wallet: string;
  bankrollUsd: number;
}

export function Rebalancing({ account, wallet, bankrollUsd }: Props) {
  const [threshold, setThreshold] = useState(5);
  const { data, error } = useFetched<Envelope<RebalancingRecord[]>>({
    path: `/portfolio/${account}/rebalancing`,
    query: { wallet, bankroll: bankrollUsd, threshold },
    settleMs: 400,
  });
  if (error?.status === 404) return null;
  return (
    <Panel
      title="Rebalancing"
      aside={
        <>
          <span className="fine">changes of at least</span>
          <Choice label="Smallest change" options={THRESHOLDS} value={threshold} onChange={setThreshold} />
        </>
      }
    >
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {data?.data.length === 0 ? <Empty>No changes of that size.</Empty> : null}
      {data?.data.map((record) => (
        <RebalancingTable key={record.event_id} record={record} />
      ))}
      {!data && !error ? <Empty>Computing…</Empty> : null}
    </Panel>
  );
}

function RebalancingTable({ record }: { record: RebalancingRecord }) {
  return (
    <ScrollTable label={`Rebalancing for ${record.event_title}`}>
      <table className="table">
        <caption className="table-caption">
          {record.event_title} ({describeTerms(record)})
        </caption>
        <TableHead
          columns={[
            'Bucket',
            'Action',
            'By',
            'Shares',
            'Value now',
            'Target',
            'Win chance',
            'Edge (pp)',
            'Why',
          ]}
          words={['Action', 'Why']}
        />
        <tbody>
          {record.positions.map((position) => (
            <tr key={`${position.bucket} ${position.outcome}`}>
              <th scope="row" className="num">
                {position.bucket} <span className="fine">{position.outcome}</span>
              </th>
              <td className="text">
                <SignalTag value={position.action} />
              </td>
              <td className="num strong">{formatUsd(position.adjustment)}</td>
              <td className="num">{formatDecimal(position.adjustment_shares, 1)}</td>
              <td className="num">{formatUsd(position.current_value)}</td>
              <td className="num">{formatUsd(position.target_value)}</td>
              <td className="num">{formatProbability(position.win_probability)}</td>
              <td className="num" data-sign={signOf(position.edge)}>
                {formatPoints(position.edge)}
              </td>
              <td className="text wrap">{joinReasons(position.reasons)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}
