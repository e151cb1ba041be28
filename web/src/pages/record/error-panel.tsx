// Forecast error by horizon, and win rate of BUY signals.

import type { ErrorSummary, OverviewRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Fact } from '../../ui/fact.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { formatDecimal, plural } from '../../words/format.ts';

export function ErrorPanel({ account }: { account: string | undefined }) {
  const { data, error } = useFetched<OverviewRecord>({ path: '/performance/overview', query: { account } });
  return (
    <div className="columns">
      <Panel title="Median forecast error" aside={<span className="fine">percent of the final count</span>}>
        {error ? <Failure error={error} hasOld={data !== null} /> : null}
        {data ? <Errors overview={data} /> : error ? null : <Empty>Loading …</Empty>}
      </Panel>
      <Panel title="Winning buys" aside={<span className="fine">by confidence class</span>}>
        {data ? (
          <WinRates overview={data} />
        ) : (
          <Empty>{error ? 'Couldn’t load the record.' : 'Loading …'}</Empty>
        )}
      </Panel>
    </div>
  );
}

function Errors({ overview }: { overview: OverviewRecord }) {
  const rows: [string, ErrorSummary][] = [
    ['24 h', overview.error_24h],
    ['48 h', overview.error_48h],
    ['72 h', overview.error_72h],
  ];
  const largest = Math.max(1, ...rows.map(([, row]) => row.p90 ?? row.median ?? 0));
  return (
    <table className="table error-table">
      <thead>
        <tr>
          <th scope="col">Before the close</th>
          <th scope="col" className="error-bars-head">
            <span className="visually-hidden">Bars</span>
          </th>
          <th scope="col">Median</th>
          <th scope="col">p90</th>
          <th scope="col">Events</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, row]) => (
          <tr key={name}>
            <th scope="row" className="num">
              {name}
            </th>
            <td className="error-bars" aria-hidden="true">
              <span className="error-p90" style={{ inlineSize: `${((row.p90 ?? 0) / largest) * 100}%` }} />
              <span
                className="error-median"
                style={{ inlineSize: `${((row.median ?? 0) / largest) * 100}%` }}
              />
            </td>
            <td className="num strong">{formatPercent(row.median)}</td>
            <td className="num">{formatPercent(row.p90)}</td>
            <td className="num">{row.sample_size}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function WinRates({ overview }: { overview: OverviewRecord }) {
  return (
    <dl className="facts">
      {(['HIGH', 'MEDIUM', 'LOW'] as const).map((name) => (
        <Fact
          key={name}
          name={name.toLowerCase()}
          value={formatPercent(overview.win_rate[name])}
          remark={plural(overview.win_rate_samples[name], 'signal')}
        />
      ))}
    </dl>
  );
}

function formatPercent(value: number | null): string {
  return value === null ? '–' : `${formatDecimal(value, 1)}%`;
}
