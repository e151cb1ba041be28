// An account's events and their settlements, latest end first.

import { useEffect, useRef, useState } from 'react';
import type { PastEventRecord } from '../../api/records.ts';
import { fetchJson, type ServiceError, toServiceError } from '../../api/request.ts';
import { useRetry } from '../../api/use-retry.ts';
import { useAccess, useAccountView, useLive, useServerNow, useTerms } from '../../live/live-context.tsx';
import { hrefTo } from '../../route.ts';
import { Button, CsvButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded, Panel } from '../../ui/panel.tsx';
import { formatCents, formatCount, formatDay } from '../../words/format.ts';

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
      <Loaded of={{ data: events, error }}>
        {(some) =>
          some.length === 0 ? <Empty>No events yet.</Empty> : <EventTable account={account} events={some} />
        }
      </Loaded>
      {cursor && events ? (
        <div className="button-row">
          <Button onClick={loadMore}>Older events</Button>
        </div>
      ) : null}
    </Panel>
  );
}

/** An open event's count, and its leading bucket with the price. */
interface RunningEvent {
  count: number | null;
  leader: string;
}

function useRunning(account: string): ReadonlyMap<number, RunningEvent> {
  const { feeds } = useLive();
  const view = useAccountView(feeds.find((feed) => feed.get().state.account === account));
  const { meta = [], prediction = [] } = view?.state ?? {};
  return new Map(
    meta.map(({ event_id, real_counter }) => {
      const markets = prediction.find((one) => one.event_id === event_id)?.markets ?? [];
      const [first] = markets.toSorted((a, b) => (b.market_price ?? 0) - (a.market_price ?? 0));
      const leader = first?.market_price ? `${first.title} at ${formatCents(first.market_price)}` : 'open';
      return [event_id, { count: real_counter, leader }];
    }),
  );
}

function EventTable({ account, events }: { account: string; events: readonly PastEventRecord[] }) {
  const running = useRunning(account);
  const nowTs = useServerNow(account)();
  const termsOf = useTerms();
  const nowOf = ({ event_id, settlement }: PastEventRecord) =>
    settlement ? undefined : running.get(event_id);
  return (
    <DataTable
      label="Events, latest end first"
      className="past-events"
      rows={events.toSorted((a, b) => rankOf(a, nowTs) - rankOf(b, nowTs))}
      keyOf={({ event_id }) => event_id}
      marks={(event) => ({ 'data-open': nowOf(event) ? 'true' : undefined })}
      columns={[
        {
          name: 'Event',
          className: 'wrap',
          // On a narrow screen the window moves below the title, to leave room for the result.
          cell: (event) => (
            <>
              <a href={hrefTo('event', account, event.event_id)}>{event.event_title}</a>
              <span className="event-terms">{termsOf(event)}</span>
              <span className="past-window-below num">{describeWindow(event)}</span>
            </>
          ),
        },
        { name: 'Window', className: 'past-window num', cell: describeWindow },
        {
          name: 'Count',
          cell: (event) => formatCount(nowOf(event) ? nowOf(event)!.count : event.settlement?.final_count),
        },
        { name: 'Winner or leader', cell: (event) => nowOf(event)?.leader ?? describeResult(event, nowTs) },
      ]}
    />
  );
}

function describeWindow({ start_ts, end_ts }: PastEventRecord): string {
  return `${formatDay(start_ts)} to ${formatDay(end_ts)}`;
}

/** Running events first, then upcoming and ended ones. */
function rankOf({ settlement, start_ts, end_ts }: PastEventRecord, nowTs: number): number {
  if (settlement || end_ts <= nowTs) return 2;
  return start_ts > nowTs ? 1 : 0;
}

function describeResult({ settlement, start_ts, end_ts }: PastEventRecord, nowTs: number): string {
  if (settlement) return settlement.winning_bucket ?? 'none';
  if (start_ts > nowTs) return 'upcoming';
  return end_ts > nowTs ? 'open' : 'not settled';
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
