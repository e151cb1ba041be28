// An account's events and their settlements, latest end first.

import { useEffect, useRef, useState } from 'react';
import { describeTerms, type PastEventRecord } from '../../api/records.ts';
import { fetchJson, type ServiceError, toServiceError } from '../../api/request.ts';
import { useRetry } from '../../api/use-retry.ts';
import { useAccess } from '../../live/live-context.tsx';
import { hrefTo } from '../../route.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { Empty, Failure, Panel, ScrollTable } from '../../ui/panel.tsx';
import { formatCount, formatDay } from '../../words/format.ts';

export function PastEvents({ account }: { account: string }) {
  const { events, cursor, error, loadMore } = usePastEvents(account);
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
      {!events && !error ? <Empty>Loading…</Empty> : null}
      {events?.length === 0 ? <Empty>No events yet.</Empty> : null}
      {events?.length ? <EventTable account={account} events={events} /> : null}
      {cursor && events ? (
        <div className="button-row">
          <button type="button" className="button" onClick={loadMore}>
            Older events
          </button>
        </div>
      ) : null}
    </Panel>
  );
}

function EventTable({ account, events }: { account: string; events: readonly PastEventRecord[] }) {
  return (
    <ScrollTable label="Events, latest end first">
      <table className="table past-events">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col" className="past-window">
              Window
            </th>
            <th scope="col">Final</th>
            <th scope="col">Won</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow key={event.event_id} account={account} event={event} />
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

/** On a narrow screen the window moves below the title, to leave room for the result. */
function EventRow({ account, event }: { account: string; event: PastEventRecord }) {
  const window = `${formatDay(event.start_ts)} to ${formatDay(event.end_ts)}`;
  return (
    <tr>
      <th scope="row" className="wrap">
        <a href={hrefTo('event', account, event.event_id)}>{event.event_title}</a>
        <span className="event-terms">{describeTerms(event)}</span>
        <span className="past-window-below num">{window}</span>
      </th>
      <td className="past-window num">{window}</td>
      <td className="num">{formatCount(event.settlement?.final_count)}</td>
      <td className="num">{describeResult(event)}</td>
    </tr>
  );
}

function describeResult({ settlement, start_ts, end_ts }: PastEventRecord): string {
  if (settlement) return settlement.winning_bucket ?? 'none';
  if (start_ts > Date.now()) return 'upcoming';
  return end_ts > Date.now() ? 'open' : 'not settled';
}

const PAGE = 25;

interface Page {
  data: PastEventRecord[];
  next_cursor: string | null;
}

interface Listed {
  /** null until the first page is loaded. */
  events: readonly PastEventRecord[] | null;
  cursor: string | null;
  error: ServiceError | null;
}

interface PastEventList extends Listed {
  /** Loads the next page, or the first one again if it failed. */
  loadMore: () => void;
}

const NOTHING: Listed = { events: null, cursor: null, error: null };

function usePastEvents(account: string): PastEventList {
  const { refused } = useAccess();
  const [listed, setListed] = useState(NOTHING);
  const reading = useRef(new AbortController());

  async function load({ events, cursor }: Listed): Promise<void> {
    const { signal } = reading.current;
    const query = { limit: PAGE, cursor: cursor ?? undefined };
    try {
      const page = await fetchJson<Page>(`/history/${account}/events`, query, { signal });
      if (signal.aborted) return;
      setListed({ events: [...(events ?? []), ...page.data], cursor: page.next_cursor, error: null });
    } catch (error) {
      if (!signal.aborted) setListed((now) => ({ ...now, error: toServiceError(error) }));
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new account or key means a new list.
  useEffect(() => {
    reading.current = new AbortController();
    setListed(NOTHING);
    void load(NOTHING);
    return () => reading.current.abort();
  }, [account, refused]);
  const loadMore = () => void load(listed);
  useRetry(listed.error, loadMore);
  return { ...listed, loadMore };
}
