// Share of BUY signals that won, by confidence class.

import type { OverviewRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Fact } from '../../ui/fact.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { formatDecimal, plural } from '../../words/format.ts';

export function WinRates({ account }: { account: string | undefined }) {
  const { data, error } = useFetched<OverviewRecord>({ path: '/performance/overview', query: { account } });
  return (
    <Panel title="Buy win rate" aside={<span className="fine">by confidence class</span>}>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {data ? (
        <dl className="facts win-rates">
          {(['HIGH', 'MEDIUM', 'LOW'] as const).map((name) => {
            const rate = data.win_rate[name];
            const value = rate === null ? '–' : `${formatDecimal(rate, 1)}%`;
            const remark = plural(data.win_rate_samples[name], 'signal');
            return <Fact key={name} name={name.toLowerCase()} value={value} remark={remark} />;
          })}
        </dl>
      ) : error ? null : (
        <Empty>Loading…</Empty>
      )}
    </Panel>
  );
}
