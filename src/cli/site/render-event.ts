// One page per settled event, from its signed dossier, and the list of all events.

import type { Schemas } from '../../../packages/client-js/src/index.ts';
import { plural } from '../../domain/units.ts';
import {
  formatDay,
  formatDecimal,
  formatMinute,
  html,
  type Markup,
  renderPage,
  renderTable,
} from './html.ts';

export interface PublishedEvent {
  /** File name without extension. */
  name: string;
  dossier: Schemas['Dossier'];
  signature: Schemas['Signature'];
}

type PerformanceRecord = Schemas['PerformanceRecord'];

/** An event's scored forecast; forward and recomputed ones are never mixed. */
function findPoint(record: PerformanceRecord, eventId: number) {
  for (const kind of ['forward', 'recomputed'] as const) {
    const point = record[kind].points.find(({ event_id }) => event_id === eventId);
    if (point) return { kind, ...point };
  }
  return null;
}

export function renderEventTable(
  events: readonly PublishedEvent[],
  record: PerformanceRecord,
  folder: string,
  month = '',
): Markup {
  const rows = events.map((event) => ({ ...event, point: findPoint(record, event.dossier.event_id) }));
  return renderTable(
    `Settled events ${month}`.trim(),
    rows,
    [
      {
        name: 'Event',
        cell: ({ name, dossier }) =>
          html`<a href="${folder}${name}.html"><bdi>${dossier.event_title}</bdi></a> <span class="range">${dossier.account}</span>`,
      },
      { name: 'Ended', cell: ({ dossier }) => formatDay(dossier.end_ts) },
      { name: 'Final count', cell: ({ dossier }) => dossier.settlement?.final_count ?? '–' },
      { name: 'Forecast', cell: ({ point }) => (point ? formatDecimal(point.p50, 0) : '–') },
      { name: 'Error', cell: ({ point }) => (point ? `${formatDecimal(point.error_pct, 1)}%` : '–') },
      { name: 'Made', isText: true, cell: ({ point }) => point?.kind ?? '–' },
    ],
    `Forecast: the median ${record.horizon} hours before the close`,
  );
}

/** Events by the month of their end, as yyyy-mm, in the given order. */
function listMonths(events: readonly PublishedEvent[]): [string, PublishedEvent[]][] {
  const months = new Map<string, PublishedEvent[]>();
  for (const event of events) {
    const month = formatDay(event.dossier.end_ts).slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), event]);
  }
  return [...months];
}

export function renderEventList(
  events: readonly PublishedEvent[],
  record: PerformanceRecord,
  isSimulated: boolean,
): string {
  const body = html`<div><h1>Settled events</h1>
<p>${plural(events.length, 'event')}, latest first. Open a month to see its events.</p></div>
${listMonths(events).map(
  ([month, ended], i) => html`<details${i === 0 && html` open`}>
<summary><h2>${month}</h2> <span class="fine">${plural(ended.length, 'event')}</span></summary>
${renderEventTable(ended, record, '', month)}</details>
`,
)}`;
  return renderPage({ title: 'Settled events · Tallycast', root: '../', isSimulated, body });
}

export function renderEvent(
  { name, dossier, signature }: PublishedEvent,
  record: PerformanceRecord,
  isSimulated: boolean,
): string {
  const point = findPoint(record, dossier.event_id);
  const { settlement } = dossier;
  const facts: [string, string | number][] = [
    ['Account', dossier.account],
    ['Venue', dossier.venue ?? '–'],
    ['Counting rule', dossier.counting_rule ?? '–'],
    ['Window', `${formatMinute(dossier.start_ts)} to ${formatMinute(dossier.end_ts)}`],
    ['Final count', settlement?.final_count ?? '–'],
    ['Winning bucket', settlement?.winning_bucket ?? '–'],
    ['Our count', dossier.own_count],
    ['Oracle’s last count', dossier.oracle_counts.at(-1)?.count ?? '–'],
  ];
  const body = html`<h1><bdi>${dossier.event_title}</bdi></h1>
<section><h2>Result</h2>
<dl>${facts.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl></section>
<section data-kind="${point?.kind}"><h2>Forecast${point?.kind === 'recomputed' && ', recomputed'}</h2>
${point ? describePoint(point, record.horizon) : html`<p>No forecast was scored ${record.horizon} hours before the close.</p>`}</section>
<section><h2>Why it settled this way</h2>
${dossier.explanation.map((sentence) => html`<p>${sentence}</p>`)}</section>
<section><h2>Settlements</h2>
${renderTable('Settlements', dossier.settlements, [
  { name: 'Settled', cell: ({ settled_ts }) => formatMinute(settled_ts) },
  { name: 'Count', cell: ({ final_count }) => final_count },
  { name: 'Bucket', isText: true, cell: ({ winning_bucket }) => winning_bucket },
  { name: 'Source', isText: true, cell: ({ source }) => source },
  { name: 'Revision', cell: ({ revision }) => revision },
])}</section>
<section><h2>Signed dossier</h2>
<p><a href="${name}.json">${name}.json</a>, compiled ${formatMinute(dossier.compiled_ts)}: all of the above and every change of each count, signed with key <code>${signature.key_id}</code> (<a href="../instance-key.json">instance-key.json</a>, ${signature.algorithm}, over the JSON of <code>dossier</code> without spaces and with sorted keys).</p></section>`;
  return renderPage({ title: `${dossier.event_title} · Tallycast`, root: '../', isSimulated, body });
}

function describePoint(point: NonNullable<ReturnType<typeof findPoint>>, horizonH: number): Markup {
  const made =
    point.kind === 'forward'
      ? 'Published and sealed before the outcome.'
      : 'Recomputed later from data available at the time; not published before the outcome.';
  const market = point.market_log_score;
  return html`<p class="fine">${made}</p>
<p>Median ${formatDecimal(point.p50, 0)} posts, ${horizonH} hours before the close; error ${formatDecimal(point.error_pct, 1)}%; the outcome was ${point.inside_90 ? 'inside' : 'outside'} the 90% interval. Log score ${formatDecimal(point.log_score, 3)}${market !== null && `, the market’s ${formatDecimal(market, 3)}`}.</p>`;
}
