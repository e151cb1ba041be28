// Every event of an account, the last to end first, with what it settled on.

import { useEffect, useState } from 'react';
import type { PastEventRecord } from '../../api/records.ts';
import { fetchJson, ServiceError } from '../../api/request.ts';
import { hrefTo } from '../../route.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel, ScrollTable } from '../../ui/panel.tsx';
import { formatCount, formatDay } from '../../words/format.ts';

const PAGE = 25;

interface Page {
  data: PastEventRecord[];
  next_cursor: string | null;
}

export function PastEvents({ account }: { account: string }) {
  const [events, setEvents] = useState<readonly PastEventRecord[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<ServiceError | null>(null);

  async function load(from: string | undefined, known: readonly PastEventRecord[]): Promise<void> {
    try {
      const page = await fetchJson<Page>(`/history/${account}/events`, { limit: PAGE, cursor: from });
      setEvents([...known, ...page.data]);
      setCursor(page.next_cursor);
      setError(null);
    } catch (failure) {
      setError(failure instanceof ServiceError ? failure : new ServiceError(0, String(failure), [], null));
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account is another list.
  useEffect(() => {
    setEvents(null);
    void load(undefined, []);
  }, [account]);

  return (
    <Panel
      title="Events"
      aside={
        <CsvButton
          path={`/history/${account}/events`}
          query={{ limit: 100 }}
          name={`${account}-events.csv`}
          what="All events"
        />
      }
    >
      {error ? <Failure error={error} hasOld={events !== null} /> : null}
      {!events && !error ? <Empty>Fetching the events …</Empty> : null}
      {events?.length === 0 ? <Empty>No event is known yet.</Empty> : null}
      {events?.length ? <EventTable account={account} events={events} /> : null}
      {cursor && events ? (
        <div className="button-row">
          <button type="button" className="button" onClick={() => void load(cursor, events)}>
            Older events
          </button>
        </div>
      ) : null}
    </Panel>
  );
}

function EventTable({ account, events }: { account: string; events: readonly PastEventRecord[] }) {
  return (
    <ScrollTable label="Events, the last to end first">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Window</th>
            <th scope="col">Final</th>
            <th scope="col">Won</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.event_id}>
              <th scope="row" className="wrap">
                <a href={hrefTo('event', account, event.event_id)}>{event.event_title}</a>
              </th>
              <td className="num">
                {formatDay(event.start_ts)} to {formatDay(event.end_ts)}
              </td>
              <td className="num">{formatCount(event.settlement?.final_count)}</td>
              <td className="num">
                {event.settlement?.winning_bucket ?? (event.settlement ? 'none' : 'open')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}
