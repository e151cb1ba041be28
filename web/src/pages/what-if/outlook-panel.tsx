// When to expect the next post, and how past windows with a similar count at this stage ended.

import type { Envelope, OutlookRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Empty, Failure, Panel, ScrollTable } from '../../ui/panel.tsx';
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
      <ScrollTable label="Similar past windows">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Start</th>
              <th scope="col">Count at the time</th>
              <th scope="col">Last day</th>
              <th scope="col">Added after</th>
              <th scope="col">Final count</th>
            </tr>
          </thead>
          <tbody>
            {record.similar.map((window) => (
              <tr key={window.start_ts}>
                <th scope="row" className="num">
                  {formatDay(window.start_ts)}
                </th>
                <td className="num">{formatCount(window.count_then)}</td>
                <td className="num">{formatCount(window.last_day_then)}</td>
                <td className="num">{formatCount(window.final_count - window.count_then)}</td>
                <td className="num strong">{formatCount(window.final_count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </>
  );
}
