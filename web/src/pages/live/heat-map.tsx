// Posts by hour and day of the window, as a table styled as a heat map.

import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { isPro } from '../../api/access.ts';
import type { CountersRecord, Envelope, HourCell, HourlyRecord } from '../../api/records.ts';
import { describeError, fetchJson, ServiceError } from '../../api/request.ts';
import { type ServerClock, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { useAccess } from '../../live/live-context.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { formatCount, formatShortDay, plural, readHour } from '../../words/format.ts';
import { getZone, getZoneName, useZone, ZONES } from '../../words/zone.ts';

interface Props {
  record: CountersRecord;
  hourly: Hourly;
  clock: ServerClock;
}

const HOUR_MS = 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export function HeatMap({ record, hourly, clock }: Props) {
  const serverNowTs = toServerTs(clock, useNow());
  const hourTs = Math.floor(serverNowTs / HOUR_MS) * HOUR_MS;
  const zone = useZone();
  // biome-ignore lint/correctness/useExhaustiveDependencies: hours and days are those of the chosen zone.
  const { days, largest } = useMemo(
    () => summarise(withHoursAhead(hourly.record?.hours ?? [], record.end_ts), hourTs),
    [hourly.record, record.end_ts, hourTs, zone],
  );
  if (hourly.isAbsent) return null;
  return (
    <Panel
      title="Posts by hour"
      className="heat-panel"
      aside={<span className="fine">counted posts, {describeZone()}</span>}
    >
      {hourly.record === null ? (
        <Empty>{hourly.problem ?? 'Loading…'}</Empty>
      ) : (
        <table className="heat" data-rows={describeLength(days.length)}>
          <caption className="visually-hidden">
            Posts per hour and day for event {record.event_id}, starting {days[0]?.label}, in {getZoneName()}{' '}
            time
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Day</span>
              </th>
              {HOURS.map((hour) => (
                <th
                  key={hour}
                  scope="col"
                  className="num"
                  data-third={hour % 3 === 0 || undefined}
                  data-quarter={hour % 6 === 0 || undefined}
                >
                  {String(hour).padStart(2, '0')}
                </th>
              ))}
              <th scope="col">Day</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.label}>
                <th scope="row">{day.label}</th>
                {HOURS.map((hour) => (
                  <Fragment key={hour}>
                    <HourSquare cell={day.cells[hour]} serverNowTs={serverNowTs} largest={largest} />
                  </Fragment>
                ))}
                <td className="num heat-total">{day.isAhead ? '' : formatCount(day.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function describeZone(): string {
  const zone = getZone();
  return zone === 'local' ? 'your time' : ZONES.find(({ value }) => value === zone)!.label;
}

interface CellProps {
  cell: HourCell | undefined;
  serverNowTs: number;
  largest: number;
}

function HourSquare({ cell, serverNowTs, largest }: CellProps) {
  if (!cell) return <td className="heat-cell" data-outside="" />;
  if (cell.start_ts > serverNowTs) return <td className="heat-cell" data-ahead="" />;
  const value = cell.counted;
  const level = value === 0 ? 0 : Math.min(5, Math.ceil((value / largest) * 5));
  const isNow = serverNowTs - cell.start_ts < HOUR_MS;
  return (
    <td
      className="heat-cell num"
      data-level={level}
      style={{ background: `var(--heat-${level})` }}
      data-now={isNow || undefined}
      data-long={value > 9 || undefined}
      title={describeCell(cell)}
    >
      {value}
    </td>
  );
}

/** A window of few days gets tall rows; a month gets short ones. */
function describeLength(days: number): string {
  if (days <= 4) return 'few';
  return days <= 10 ? 'some' : 'many';
}

function describeCell(cell: HourCell): string {
  return `${formatCount(cell.counted)} of ${plural(cell.all, 'post')} counted`;
}

interface Day {
  label: string;
  cells: Partial<Record<number, HourCell>>;
  total: number;
  /** Entirely in the future. */
  isAhead: boolean;
}

/** Adds empty cells for the rest of the window, because the service returns only past hours. */
function withHoursAhead(cells: readonly HourCell[], endTs: number): readonly HourCell[] {
  const last = cells.at(-1);
  if (!last) return cells;
  const ahead: HourCell[] = [];
  for (let ts = last.start_ts + HOUR_MS; ts < endTs; ts += HOUR_MS) {
    ahead.push({ start_ts: ts, counted: 0, all: 0 });
  }
  return [...cells, ...ahead];
}

function summarise(cells: readonly HourCell[], nowTs: number): { days: Day[]; largest: number } {
  return {
    days: groupByDay(cells, nowTs),
    largest: cells.reduce((most, cell) => Math.max(most, cell.counted), 1),
  };
}

/** Groups hours, which are in time order, by day. */
function groupByDay(cells: readonly HourCell[], nowTs: number): Day[] {
  const days: Day[] = [];
  for (const cell of cells) {
    const label = formatShortDay(cell.start_ts);
    let day = days.at(-1);
    if (day?.label !== label)
      days.push((day = { label, cells: {}, total: 0, isAhead: cell.start_ts > nowTs }));
    day.cells[readHour(cell.start_ts)] = cell;
    day.total += cell.counted;
  }
  return days;
}

export interface Hourly {
  record: HourlyRecord | null;
  problem: string | null;
  /** The service has no breakdown for this event, so the page omits the heat map. */
  isAbsent: boolean;
}

const PUBLIC_PAUSE_MS = 600_000;
const PRO_PAUSE_MS = 20_000;

export function useHourly(account: string, eventId: number, newestPostId: string | undefined): Hourly {
  const { tier, key } = useAccess();
  const [hourly, setHourly] = useState<Hourly>({ record: null, problem: null, isAbsent: false });
  const askedAt = useRef({ ts: 0, key: '' });
  const pauseMs = isPro(tier) ? PRO_PAUSE_MS : PUBLIC_PAUSE_MS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new post triggers the next request.
  useEffect(() => {
    const identity = `${account} ${eventId} ${key}`;
    const isSame = askedAt.current.key === identity;
    const waitMs = isSame ? Math.max(0, askedAt.current.ts + pauseMs - Date.now()) : 0;
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      askedAt.current = { ts: Date.now(), key: identity };
      const next = await loadHourly(account, eventId, stopped.signal);
      if (next) setHourly((known) => (next.problem && known.record ? known : next));
    }, waitMs);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [account, eventId, key, newestPostId, pauseMs]);
  return hourly;
}

async function loadHourly(account: string, eventId: number, signal: AbortSignal): Promise<Hourly | null> {
  try {
    const query = { event_id: eventId, tz: getZoneName() };
    const answer = await fetchJson<Envelope<HourlyRecord[]>>(`/meta/${account}/hourly`, query, { signal });
    return { record: answer.data[0] ?? null, problem: null, isAbsent: false };
  } catch (error) {
    if (signal.aborted) return null;
    const isAbsent = error instanceof ServiceError && error.status === 404;
    return { record: null, problem: describeError(error), isAbsent };
  }
}
