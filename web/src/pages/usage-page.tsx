// Usage statistics for the current INTERNAL key.

import { useState } from 'react';
import type { Envelope, UsageByEndpoint, UsageErrorEntry, UsageStats, UsageSummary } from '../api/records.ts';
import { useAccess } from '../live/live-context.tsx';
import { useFetched } from '../live/use-fetched.ts';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { Choice, Empty, Fact, Failure, NeedsKey, PageHead, Panel } from '../ui/panel.tsx';
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
      <Panel title="By endpoint" aside={<span className="fine">for streams, the time to open them</span>}>
        {endpoints.data?.data.length ? (
          <DataTable
            label="Endpoint usage table"
            className="table-cards"
            rows={endpoints.data.data}
            keyOf={(row) => `${row.method} ${row.endpoint}`}
            columns={ENDPOINT_COLUMNS}
          />
        ) : null}
        {endpoints.data?.data.length === 0 ? <Empty>No requests in this period.</Empty> : null}
        {endpoints.data ? null : <Unknown error={endpoints.error} />}
      </Panel>
      <Panel title="Recent errors">
        {errors.data?.data.length ? (
          <DataTable
            label="Recent error table"
            className="table-cards"
            rows={errors.data.data}
            keyOf={(row) => `${row.timestamp} ${row.endpoint} ${row.status_code}`}
            columns={ERROR_COLUMNS}
          />
        ) : null}
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

const ENDPOINT_COLUMNS: readonly DataColumn<UsageByEndpoint>[] = [
  { name: 'Endpoint', className: '', cell: (row) => <Endpoint {...row} /> },
  { name: 'Requests', cell: (row) => formatCount(row.requests) },
  { name: 'Errors', cell: (row) => formatCount(row.errors) },
  { name: 'Error rate', cell: (row) => formatProbability(row.error_rate) },
  { name: 'Average', cell: (row) => `${formatDecimal(row.avg_response_ms, 1)} ms` },
  { name: 'Sent', cell: (row) => formatBytes(row.bandwidth_bytes) },
];

const ERROR_COLUMNS: readonly DataColumn<UsageErrorEntry>[] = [
  { name: 'When', cell: (row) => formatDayTime(row.timestamp) },
  { name: 'Status', cell: (row) => row.status_code },
  { name: 'Endpoint', className: 'text', cell: (row) => <Endpoint {...row} /> },
  { name: 'Duration', cell: (row) => `${formatDecimal(row.response_ms, 1)} ms` },
  { name: 'Message', className: 'text wrap', cell: (row) => row.message },
];

function Endpoint({ method, endpoint }: { method: string; endpoint: string }) {
  return (
    <>
      <span className="fine">{method}</span> {endpoint}
    </>
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
