// The first page: the forward record, then trials and evidence, and recomputed forecasts apart from all of it.

import type { Schemas, ServiceConfig } from '../../../packages/client-js/src/index.ts';
import { plural } from '../../domain/units.ts';
import {
  estimate,
  formatDay,
  formatDecimal,
  formatMinute,
  formatPercent,
  html,
  type Markup,
  renderPage,
  renderTable,
} from './html.ts';
import { type PublishedEvent, renderEventTable } from './render-event.ts';

type Section = Schemas['RecordSection'];
type Evidence = Schemas['RecordEvidence'];

export interface SiteData {
  config: ServiceConfig;
  record: Schemas['PerformanceRecord'];
  /** null before the first hour is sealed. */
  newestSeal: Schemas['Seal'] | null;
  /** What the verifier says about the published file; null if there is none. */
  verdict: string | null;
  /** Latest end first. */
  events: readonly PublishedEvent[];
}

const EVENTS_SHOWN = 12;

export function renderRecord(data: SiteData): string {
  const { record, events } = data;
  const body = html`<div><h1>Record</h1>
<p>Forecasts for ${data.config.accounts.map(({ label }) => label).join(', ')}, sealed every hour and scored when the event settles. As of ${formatMinute(record.timestamp)}.</p></div>
${renderSection('forward', record)}
${renderEvidence(record.evidence)}
${renderAdvice(record)}
<section id="events"><h2>Settled events</h2>
<p class="fine">${plural(events.length, 'event')}, each with its signed dossier. <a href="events/index.html">All events</a></p>
${events.length > 0 && renderEventTable(events.slice(0, EVENTS_SHOWN), record, 'events/')}</section>
${renderVerify(data)}
${renderSection('recomputed', record)}`;
  return renderPage({ title: 'Record · Tallycast', root: '', isSimulated: isSimulated(data.config), body });
}

export function isSimulated({ world }: ServiceConfig): boolean {
  return world === 'simulated';
}

const SECTIONS = {
  forward: {
    title: 'Forward record',
    note: 'Published and sealed before the outcome was known.',
    empty: 'No published forecast has settled yet.',
  },
  recomputed: {
    title: 'Recomputed: what today’s model would have said',
    note: 'Computed later from data available at the time; not published before the outcome and not part of the forward record.',
    empty: 'No earlier event has been recomputed.',
  },
} as const;

function renderSection(kind: keyof typeof SECTIONS, record: SiteData['record']): Markup {
  const { title, note, empty } = SECTIONS[kind];
  const section = record[kind];
  const range =
    section.events > 0 && html` ${formatDay(section.first_end_ts)} to ${formatDay(section.last_end_ts)}.`;
  return html`<section id="${kind}" data-kind="${kind}"><h2>${title}</h2>
<p class="fine">${note} ${plural(section.events, 'settled event')} with a forecast ${record.horizon} hours before the close.${range}</p>
${section.events === 0 ? html`<p>${empty}</p>` : renderFigures(kind, section)}</section>
`;
}

const NAMES = { model: 'Model', market: 'Market', blend: 'Blend' } as const;
const score = (value: number | null) => formatDecimal(value, 3);
const percent = (value: number | null) => formatPercent(value);
const plainPercent = (value: number | null) => (value === null ? '–' : `${formatDecimal(value, 1)}%`);

function renderFigures(kind: string, section: Section): Markup {
  const isCompared = section.forecasters.some(({ log_score }) => log_score.events > 0);
  return html`${isCompared ? renderHeadToHead(kind, section) : html`<p>No settled event had market prices, so model and market can’t be compared.</p>`}
<div class="figures">
<div>${renderTable(
    `Median error by lead time, ${kind}`,
    section.by_lead,
    [
      { name: 'Before the close', cell: ({ horizon }) => `${horizon} h` },
      { name: 'Median error', cell: (lead) => estimate(lead.median_error_pct, lead, plainPercent) },
      { name: 'Events', cell: ({ events }) => events },
    ],
    'Median error in percent of the final count, with 90% intervals',
  )}</div>
<figure><figcaption>Reliability: predicted against observed, with 90% intervals. The dashed line is perfect.</figcaption>
${renderReliability(section.reliability)}</figure>
</div>`;
}

function renderHeadToHead(kind: string, { forecasters }: Section): Markup {
  return html`${renderTable(
    `Model, market and blend, ${kind}`,
    forecasters,
    [
      { name: 'Forecaster', cell: ({ name }) => NAMES[name] },
      { name: 'Log score', cell: ({ log_score: s }) => estimate(s.mean, s, score) },
      { name: 'CRPS (buckets)', cell: ({ ranked_score: s }) => estimate(s.mean, s, score) },
      { name: 'Return', cell: ({ return_on_stake: s }) => estimate(s.mean, s, percent) },
      { name: 'Events', cell: ({ log_score }) => log_score.events },
    ],
    'The same events for all three, with 90% intervals; lower scores are better',
  )}<p class="fine">Return: a stake spread over the buckets in proportion to the forecast, at the prices of that time, before fees.</p>`;
}

const PLOT = { width: 380, height: 300, left: 48, right: 12, top: 12, bottom: 30 };

/** Drawn with attributes, because the page's policy forbids inline styles. */
function renderReliability(bins: Section['reliability']): Markup {
  const known = bins.flatMap((bin) =>
    bin.buckets > 0 && bin.mean_probability !== null && bin.won_fraction !== null
      ? [{ ...bin, said: bin.mean_probability, came: bin.won_fraction }]
      : [],
  );
  const xOf = (share: number) => round(PLOT.left + share * (PLOT.width - PLOT.left - PLOT.right));
  const yOf = (share: number) =>
    round(PLOT.height - PLOT.bottom - share * (PLOT.height - PLOT.top - PLOT.bottom));
  const largest = Math.max(1, ...known.map(({ buckets }) => buckets));
  const words = known.map(({ said, came }) => `predicted ${percent(said)}, observed ${percent(came)}`);
  const anchors = ['start', 'middle', 'end'];
  return html`<svg viewBox="0 0 ${PLOT.width} ${PLOT.height}" role="img" aria-label="Reliability: ${words.join('; ')}">
${[0, 0.5, 1].map(
  (share, i) => html`<line class="axis" x1="${xOf(0)}" x2="${xOf(1)}" y1="${yOf(share)}" y2="${yOf(share)}"/>
<text x="${PLOT.left - 10}" y="${yOf(share) + 4}" text-anchor="end">${share * 100}%</text>
<text x="${xOf(share)}" y="${PLOT.height - 8}" text-anchor="${anchors[i]}">${share * 100}%</text>
`,
)}<line class="diagonal" x1="${xOf(0)}" y1="${yOf(0)}" x2="${xOf(1)}" y2="${yOf(1)}"/>
${known.map(
  ({ said, came, low, high, buckets }) => html`${
    low !== null &&
    high !== null &&
    html`<line class="interval" x1="${xOf(said)}" x2="${xOf(said)}" y1="${yOf(low)}" y2="${yOf(high)}"/>`
  }<circle class="dot" cx="${xOf(said)}" cy="${yOf(came)}" r="${round(3 + 7 * Math.sqrt(buckets / largest))}"><title>Predicted ${percent(said)}, observed ${percent(came)}, ${plural(buckets, 'bucket')}</title></circle>
`,
)}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function renderEvidence(rows: readonly Evidence[]): Markup {
  const weight = (value: number | null) => formatDecimal(value, 2);
  const side = (name: 'above' | 'below') => (row: Evidence) => {
    const found = row.weights.find((each) => each.side === name);
    return found ? estimate(found.weight, found, weight) : '–';
  };
  return html`<section id="evidence"><h2>Where the evidence comes from</h2>
${renderTable(
  'Evidence by account',
  rows,
  [
    { name: 'Account', cell: ({ account }) => account },
    { name: 'Forward events', cell: ({ own_events }) => own_events },
    { name: 'Recomputed events', cell: ({ past_events }) => past_events },
    { name: 'Shipped ladders', cell: ({ shipped_ladders }) => shipped_ladders },
    { name: 'Prior', cell: ({ prior_share }) => formatPercent(prior_share, 0) },
    { name: 'Model above', cell: side('above') },
    { name: 'Model below', cell: side('below') },
    {
      name: 'Events alone',
      cell: ({ unaided }) => (unaided ? estimate(unaided.weight, unaided, weight) : '–'),
    },
  ],
  'Weight of the model against the market: 0 is the market alone, 1 the model alone; 90% intervals',
)}
<ul class="fine">${rows.map(({ account, sentence }) => html`<li>${account}: ${sentence}</li>`)}</ul></section>
`;
}

function renderAdvice({ advice }: SiteData['record']): Markup {
  return html`<section id="advice"><h2>Paper trades on published advice</h2>
${
  advice.bets === 0
    ? html`<p>No advice has settled yet.</p>`
    : html`<p>${plural(advice.bets, 'trade')} in ${plural(advice.events, 'event')}: return on stake after fees ${percent(advice.return_on_stake)}${
        advice.low !== null && ` (90% interval ${percent(advice.low)} to ${percent(advice.high)})`
      }.</p>`
}</section>
`;
}

function renderVerify({ newestSeal, verdict }: SiteData): Markup {
  if (!newestSeal)
    return html`<section id="verify"><h2>How to verify</h2><p>No hour has been sealed yet.</p></section>`;
  const { chain, hour_ts, anchors } = newestSeal;
  const places = anchors.map(({ anchor }) => anchor).join(', ');
  return html`<section id="verify"><h2>How to verify</h2>
<p>A forecast of each event every five minutes and every change in advice are sealed by the hour: a Merkle root per hour, chained to the hour before. Download <a href="seals.jsonl">seals.jsonl</a> and <a href="verify-seals.mjs">verify-seals.mjs</a> (one file, needs only Node 18 or later), and run:</p>
<pre><code>node verify-seals.mjs seals.jsonl --known ${chain}</code></pre>
<p>or, with the package:</p>
<pre><code>npx tallycast verify seals.jsonl --known ${chain}</code></pre>
<p>Expected: <code>${verdict}</code>. Exit code 0. One changed byte gives <code>not intact</code> and exit code 1.</p>
<ul>
<li>Newest seal, ${formatMinute(hour_ts)}: <code>${chain}</code>${anchors.length > 0 && `, also stored by ${places}`}. Save it: a later download that does not contain it is a different history.</li>
<li>Texts of open events are withheld until they settle; their hashes are published at once.</li>
<li>Each event’s page links its dossier, signed with the key in <a href="instance-key.json">instance-key.json</a>. The whole record is in <a href="record.json">record.json</a>.</li>
</ul></section>
`;
}
