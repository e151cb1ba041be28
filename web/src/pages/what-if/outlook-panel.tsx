// When the next post may come, and what windows came to that stood about here after the same time.

import type { Envelope, OutlookRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel, ScrollTable } from '../../ui/panel.tsx';
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
    <div className="columns">
      <Panel title="Next post" className="next-post">
        {error ? <Failure error={error} hasOld={record !== undefined} /> : null}
        {record ? <Next record={record} nowTs={data!.timestamp} /> : error ? null : <Empty>Loading …</Empty>}
      </Panel>
      <Panel title="Windows like this one" className="similar">
        {record ? <Similar record={record} /> : <Empty>{error ? 'Not known now.' : 'Loading …'}</Empty>}
      </Panel>
    </div>
  );
}

function Next({ record: { next_post: next, feeds }, nowTs }: { record: OutlookRecord; nowTs: number }) {
  if (!next)
    return (
      <Empty>
        {feeds.own.stale
          ? 'Posts are not heard: whether the account is silent is not known.'
          : 'There are too few posts in the last 30 days to say.'}
      </Empty>
    );
  return (
    <>
      <p className="next-post-lead">
        Expected in about <strong className="num">{formatLength(next.p50_ts - nowTs)}</strong>, around{' '}
        <span className="num">{formatDayTime(next.p50_ts)}</span>
      </p>
      <p className="num">
        Nine times in ten between {formatDayTime(next.p5_ts)} and {formatDayTime(next.p95_ts)}
      </p>
      <p className="fine num">
        From {plural(next.sample_size, 'silence')} of the last 30 days that had lasted as long, at about this
        time of day. Posts that count.
      </p>
    </>
  );
}

function Similar({ record }: { record: OutlookRecord }) {
  if (record.similar.length === 0) return <Empty>The posts that are known do not reach back a window.</Empty>;
  const finals = record.similar.map(({ final_count }) => final_count).sort((left, right) => left - right);
  return (
    <>
      <p className="num">
        This one stands at <strong>{formatCount(record.count_now)}</strong>,{' '}
        {formatCount(record.last_day_now)} of them in the last day. The nearest {record.similar.length} ended
        between {formatCount(finals[0])} and {formatCount(finals.at(-1))}.
      </p>
      <ScrollTable label="Past windows like this one">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Began</th>
              <th scope="col">Stood at</th>
              <th scope="col">Last day</th>
              <th scope="col">Ended at</th>
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
                <td className="num strong">{formatCount(window.final_count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </>
  );
}
