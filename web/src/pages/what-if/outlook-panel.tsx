// When to expect the next post, and how past windows with a similar count at this stage ended.

import type { Envelope, OutlookRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Failure, Panel } from '../../ui/panel.tsx';
import { formatCount, formatDay, formatDayTime, formatLength, plural } from '../../words/format.ts';

const REFRESH_MS = 60_000;

export function OutlookPanel({ account, eventId }: { account: string; eventId: number }) {
  const { data, error } = useFetched<Envelope<OutlookRecord[]>>({
    path: `/outlook/${account}`,
    query: { event_id: eventId },
    everyMs: REFRESH_MS,
  });
  const record = data?.data[0];
  return (
    <>
      <Panel title="Next post" className="next-post">
        {error ? <Failure error={error} hasOld={record !== undefined} /> : null}
        {record ? <Next record={record} nowTs={data!.timestamp} /> : error ? null : <Empty>Loading…</Empty>}
      </Panel>
      <Panel title="Similar windows" className="similar">
        {record ? (
          <Similar record={record} />
        ) : (
          <Empty>{error ? 'Couldn’t load similar windows.' : 'Loading…'}</Empty>
        )}
      </Panel>
    </>
  );
}

function Next({ record: { next_post: next, feeds }, nowTs }: { record: OutlookRecord; nowTs: number }) {
  if (!next)
    return (
      <Empty>
        {feeds.own.stale
          ? 'The post feed is stale, so the next post cannot be estimated.'
          : 'Too few posts in the last 30 days.'}
      </Empty>
    );
  return (
    <>
      <p className="next-post-lead">
        Expected in about <strong className="num">{formatLength(next.p50_ts - nowTs)}</strong>, around{' '}
        <span className="num">{formatDayTime(next.p50_ts)}</span>
      </p>
      <p className="num">
        90% range: {formatDayTime(next.p5_ts)} to {formatDayTime(next.p95_ts)}
      </p>
      <p className="fine num">
        Based on {plural(next.sample_size, 'similar gap')} between counted posts in the last 30 days.
      </p>
    </>
  );
}

function Similar({ record }: { record: OutlookRecord }) {
  if (record.similar.length === 0) return <Empty>Not enough history for one window.</Empty>;
  // Their final counts started from other counts, so only what followed is comparable.
  const added = record.similar.map(({ count_then, final_count }) => final_count - count_then);
  const [least, most] = [Math.min(...added), Math.max(...added)];
  return (
    <>
      <p className="num">
        The count is <strong>{formatCount(record.count_now)}</strong>, {formatCount(record.last_day_now)} in
        the last day. From the same point on, the {record.similar.length} most similar windows added{' '}
        {formatCount(least)} to {formatCount(most)}; the same here would end at{' '}
        {formatCount(record.count_now + least)} to {formatCount(record.count_now + most)}.
      </p>
      <DataTable
        label="Similar past windows"
        rows={record.similar}
        keyOf={({ start_ts }) => start_ts}
        columns={[
          { name: 'Start', cell: ({ start_ts }) => formatDay(start_ts) },
          { name: 'Count at the time', cell: ({ count_then }) => formatCount(count_then) },
          { name: 'Last day', cell: ({ last_day_then }) => formatCount(last_day_then) },
          { name: 'Added after', cell: (window) => formatCount(window.final_count - window.count_then) },
          { name: 'Final count', className: 'num strong', cell: (window) => formatCount(window.final_count) },
        ]}
      />
    </>
  );
}
