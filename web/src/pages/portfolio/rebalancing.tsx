// Lists positions to resize by at least a threshold, for accounts that the service supports.

import { useState } from 'react';
import type { Envelope, RebalancingRecord } from '../../api/records.ts';
import { useTerms } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { SignalTag } from '../../ui/advice-text.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Choice, Empty, Failure, Panel, QuietLine } from '../../ui/panel.tsx';
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
  label: string;
  wallet: string;
  bankrollUsd: number;
}

export function Rebalancing({ account, label, wallet, bankrollUsd }: Props) {
  const [threshold, setThreshold] = useState(5);
  const { data, error } = useFetched<Envelope<RebalancingRecord[]>>({
    path: `/portfolio/${account}/rebalancing`,
    query: { wallet, bankroll: bankrollUsd, threshold },
    settleMs: 400,
  });
  const title = `Rebalancing, ${label}`;
  const aside = (
    <>
      <span className="fine">changes of at least</span>
      <Choice label="Smallest change" options={THRESHOLDS} value={threshold} onChange={setThreshold} />
    </>
  );
  if (data?.data.length === 0 && !error)
    return (
      <QuietLine title={title} aside={aside}>
        No changes of that size.
      </QuietLine>
    );
  return (
    <Panel title={title} aside={aside}>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {data?.data.map((record) => (
        <RebalancingTable key={record.event_id} record={record} />
      ))}
      {!data && !error ? <Empty>Computing…</Empty> : null}
    </Panel>
  );
}

function RebalancingTable({ record }: { record: RebalancingRecord }) {
  const termsOf = useTerms();
  return (
    <DataTable
      label={`Rebalancing for ${record.event_title}`}
      caption={[record.event_title, termsOf(record)].filter(Boolean).join(', ')}
      rows={record.positions}
      keyOf={(position) => `${position.bucket} ${position.outcome}`}
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly DataColumn<RebalancingRecord['positions'][number]>[] = [
  {
    name: 'Bucket',
    cell: ({ bucket, outcome }) => (
      <>
        {bucket} <span className="fine">{outcome}</span>
      </>
    ),
  },
  { name: 'Action', className: 'text', cell: ({ action }) => <SignalTag value={action} /> },
  { name: 'By', className: 'num strong', cell: ({ adjustment }) => formatUsd(adjustment) },
  { name: 'Shares', cell: ({ adjustment_shares }) => formatDecimal(adjustment_shares, 1) },
  { name: 'Value now', cell: ({ current_value }) => formatUsd(current_value) },
  { name: 'Target', cell: ({ target_value }) => formatUsd(target_value) },
  { name: 'Win chance', cell: ({ win_probability }) => formatProbability(win_probability) },
  { name: 'Edge (pp)', sign: ({ edge }) => signOf(edge), cell: ({ edge }) => formatPoints(edge) },
  { name: 'Why', className: 'text wrap', cell: ({ reasons }) => joinReasons(reasons) },
];
