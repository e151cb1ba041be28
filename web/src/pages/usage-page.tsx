// Usage statistics for the current INTERNAL key.

import { useState } from 'react';
import type { Envelope, UsageByEndpoint, UsageErrorEntry, UsageStats, UsageSummary } from '../api/records.ts';
import { useAccess } from '../live/live-context.tsx';
import { useFetched } from '../live/use-fetched.ts';
import {
  Choice,
  Empty,
  Fact,
  Failure,
  NeedsKey,
  PageHead,
  Panel,
  ScrollTable,
  TableHead,
} from '../ui/panel.tsx';
import {
  formatBytes,
  formatCount,
  formatDayTime,
  formatDecimal,
  formatLength,
  formatProbability,
} from '../words/format.ts';

const SPANS = [1, 7, 30, 90].map((days) => ({ value: days, label: `${days} d` }));
const DAY_S = 86_400;

export default function UsagePage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Usage">This key’s requests, errors, response times and bandwidth.</PageHead>
      {tier === 'INTERNAL' ? (
        <Usage />
      ) : (
        <NeedsKey tier="INTERNAL">
          <p>Usage of the current key. Needs an INTERNAL key.</p>
        </NeedsKey>
      )}
    </>
  );
}

function Usage() {
  const [days, setDays] = useState(7);
  // Round to minutes, so that a re-render does not send another request.
  const endS = Math.ceil(Date.now() / 60_000) * 60;
  const summary = useFetched<Envelope<UsageSummary>>({ path: '/usage/summary', query: { days } });
  const endpoints = useFetched<Envelope<UsageByEndpoint[]>>({
    path: '/usage/by-endpoint',
    query: { start: endS - days * DAY_S, end: endS },
  });
  const errors = useFetched<Envelope<UsageErrorEntry[]>>({ path: '/usage/errors', query: { limit: 50 } });
  const stats = useFetched<Envelope<UsageStats>>({ path: '/usage/stats' });
  const failure = summary.error ?? endpoints.error ?? errors.error ?? stats.error;
  return (
    <div className="stack">
      {failure ? <Failure error={failure} hasOld={summary.data !== null} /> : null}
      <Panel title="Summary" aside={<Choice label="Days" options={SPANS} value={days} onChange={setDays} />}>
        {summary.data ? <Summary summary={summary.data.data} /> : <Unknown error={summary.error} />}
      </Panel>
      <Panel
        title="By endpoint"
        aside={<span className="fine">for streams, response time is how long they were open</span>}
      >
        {endpoints.data?.data.length ? <EndpointTable rows={endpoints.data.data} /> : null}
        {endpoints.data?.data.length === 0 ? <Empty>No requests in this period.</Empty> : null}
        {endpoints.data ? null : <Unknown error={endpoints.error} />}
      </Panel>
      <Panel title="Recent errors">
        {errors.data?.data.length ? <ErrorTable rows={errors.data.data} /> : null}
        {errors.data?.data.length === 0 ? <Empty>No errors.</Empty> : null}
        {errors.data ? null : <Unknown error={errors.error} />}
      </Panel>
      {stats.data ? <Tracking stats={stats.data.data} /> : null}
    </div>
  );
}

/** Zero and unknown are different. */
function Unknown({ error }: { error: object | null }) {
  return <Empty>{error ? 'Couldn’t load usage.' : 'Loading…'}</Empty>;
}

function Summary({ summary }: { summary: UsageSummary }) {
  return (
    <dl className="facts">
      <Fact name="Requests" value={formatCount(summary.total_requests)} />
      <Fact name="Errors" value={formatCount(summary.total_errors)} />
      <Fact name="Error rate" value={formatProbability(summary.error_rate)} />
      <Fact name="Average response" value={`${formatDecimal(summary.avg_response_ms, 1)} ms`} />
      <Fact name="Sent" value={formatBytes(summary.total_bandwidth_bytes)} />
    </dl>
  );
}

function EndpointTable({ rows }: { rows: readonly UsageByEndpoint[] }) {
  return (
    <ScrollTable label="Endpoint usage table">
      <table className="table table-cards">
        <TableHead columns={['Endpoint', 'Requests', 'Errors', 'Error rate', 'Average', 'Sent']} />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.method} ${row.endpoint}`}>
              <th scope="row">
                <span className="fine">{row.method}</span> {row.endpoint}
              </th>
              <td className="num" data-name="Requests">
                {formatCount(row.requests)}
              </td>
              <td className="num" data-name="Errors">
                {formatCount(row.errors)}
              </td>
              <td className="num" data-name="Error rate">
                {formatProbability(row.error_rate)}
              </td>
              <td className="num" data-name="Average">
                {formatDecimal(row.avg_response_ms, 1)} ms
              </td>
              <td className="num" data-name="Sent">
                {formatBytes(row.bandwidth_bytes)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function ErrorTable({ rows }: { rows: readonly UsageErrorEntry[] }) {
  return (
    <ScrollTable label="Recent error table">
      <table className="table table-cards">
        <TableHead
          columns={['When', 'Status', 'Endpoint', 'Duration', 'Message']}
          words={['Endpoint', 'Message']}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.timestamp} ${row.endpoint} ${row.status_code}`}>
              <th scope="row" className="num">
                {formatDayTime(row.timestamp)}
              </th>
              <td className="num" data-name="Status">
                {row.status_code}
              </td>
              <td className="text" data-name="Endpoint">
                <span className="fine">{row.method}</span> {row.endpoint}
              </td>
              <td className="num" data-name="Duration">
                {formatDecimal(row.response_ms, 1)} ms
              </td>
              <td className="text wrap">{row.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function Tracking({ stats: { buffer, tracking } }: { stats: UsageStats }) {
  return (
    <Panel title="Tracking">
      <dl className="facts">
        <Fact name="Buffer" value={`${formatCount(buffer.size)} of ${formatCount(buffer.capacity)}`} />
        <Fact name="Dropped" value={formatCount(buffer.dropped)} />
        <Fact name="Flush interval" value={formatLength(tracking.flush_interval_ms)} />
        <Fact name="Retention" value={`${tracking.retention_days} d`} />
        <Fact name="State" value={tracking.enabled ? 'on' : 'off'} />
      </dl>
    </Panel>
  );
}
