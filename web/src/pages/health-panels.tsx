// Service health: the service's own report and its feeds.

import type { FeedAge, HealthRecord } from '../api/records.ts';
import { useLabel } from '../live/live-context.tsx';
import { useFetched } from '../live/use-fetched.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Loaded, Panel } from '../ui/panel.tsx';
import { nameFeed, nameFeedState } from '../words/deltas.ts';
import { formatLength, formatTime } from '../words/format.ts';

const REFRESH_MS = 5_000;

const STATUS_WORDS: Record<string, string> = {
  ok: 'All feeds are live.',
  degraded: 'A feed is stale or the store is read-only. Counts may lag; each count shows its age.',
  down: 'Data is too old to trust.',
};

export function HealthPanels() {
  const report = useFetched<HealthRecord>({ path: '/health', everyMs: REFRESH_MS });
  return <Loaded of={report}>{(health) => <Health health={health} isOld={report.error !== null} />}</Loaded>;
}

function Health({ health, isOld }: { health: HealthRecord; isOld: boolean }) {
  return (
    <>
      <section
        className="panel health-status"
        data-status={isOld ? 'unknown' : health.status}
        aria-label="Status"
      >
        <p className="health-word">{isOld ? 'no response' : health.status}</p>
        <p>
          {isOld
            ? 'The service is not responding. Showing the last known state.'
            : STATUS_WORDS[health.status]}
        </p>
        {health.problems?.length ? (
          <ul className="health-problems">
            {health.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : null}
        <p className="fine num">
          Checked {formatTime(health.timestamp, true)}
          {health.version ? `, version ${health.version}` : ''}
          {health.commit ? `, build ${health.commit.slice(0, 12)}` : ''}
        </p>
      </section>
      <div className="columns">
        {Object.entries(health.feeds ?? {}).map(([segment, feeds]) => (
          <FeedTable key={segment} segment={segment} feeds={feeds} />
        ))}
      </div>
    </>
  );
}

function FeedTable({ segment, feeds }: { segment: string; feeds: Record<string, FeedAge> }) {
  const label = useLabel(segment);
  return (
    <Panel title={`${label} feeds`}>
      <DataTable
        label={`State of the feeds of ${label}`}
        rows={Object.entries(feeds)}
        keyOf={([name]) => name}
        columns={[
          { name: 'Feed', className: '', cell: ([name]) => nameFeed(name) },
          {
            name: 'State',
            className: '',
            sign: ([, feed]) => (feed.stale ? 'minus' : undefined),
            cell: ([, feed]) => nameFeedState(feed),
          },
          {
            name: 'Last update',
            cell: ([, { age_s }]) => (age_s === null ? 'never' : `${formatLength(age_s * 1000)} ago`),
          },
        ]}
      />
    </Panel>
  );
}
