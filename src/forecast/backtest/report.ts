// The backtest report: one self-contained page with tables and plots, without scripts or external links.

import { drawBars, drawFan, drawLines, drawReliability } from './plots.ts';
import type { ModelSummary, ScoreBook } from './score-book.ts';
import { PRODUCT, pitHistogram } from './score-book.ts';
import { HEADINGS, listCells } from './verdict.ts';
import type { WalkStep } from './walk-forward.ts';

export interface ReportInput {
  title: string;
  /** The winner at each lead, with losses listed first. */
  verdicts: readonly string[];
  /** Data, dates and settings, by name. */
  facts: Readonly<Record<string, string>>;
  summaries: readonly { leadHours: number; summaries: readonly ModelSummary[] }[];
  book: ScoreBook;
  steps: readonly WalkStep[];
}

/** Colours for both themes, shared with the plots. */
const STYLE = `:root{color-scheme:light dark;--paper:#fff;--ink:#1b2430;--soft:#52606d;--line:#dde3ea;--mark:#eef4fb;--axis:#7b8794;--band:#cfe2f3;--bar:#7fb0dd;--main:#0b63b6;--truth:#a3293d}
@media(prefers-color-scheme:dark){:root{--paper:#12181f;--ink:#e4e9ef;--soft:#9fb0c0;--line:#2b3641;--mark:#1b2a3a;--axis:#8b99a7;--band:#1f3d5a;--bar:#35648f;--main:#6cb2f2;--truth:#f0808f}}
body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:1.5rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;width:100%;margin:.5rem 0 1.5rem;white-space:nowrap}td,th{padding:.25rem .5rem;text-align:right;border-bottom:1px solid var(--line)}
td:first-child,th:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}tr.product td{font-weight:600;background:var(--mark)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:1rem}figure{margin:0}svg{width:100%;height:auto;fill:var(--ink)}figcaption{font-size:13px;color:var(--soft)}`;

export function renderReport(input: ReportInput): string {
  const title = `Backtest: ${input.title}`;
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...input.verdicts.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    renderFacts(input.facts),
    '<h2>Skill by lead</h2>',
    plots(renderSkill(input)),
    '<h2>Calibration</h2>',
    plots(
      ...renderPit(input),
      figure(drawReliability(input.book.reliability), 'Reliability of bucket probabilities, all leads'),
    ),
    '<h2>Forecast fan for the last event</h2>',
    plots(renderFan(input.steps)),
    '<h2>Scores</h2>',
    ...input.summaries.map(renderTable),
    '<h2>Glossary</h2>',
    renderGlossary(input),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${parts.join('\n')}</body></html>\n`;
}

/** Lists the data and settings, so that the page is self-explanatory. */
function renderFacts(facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(
    ([name, fact]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(fact)}</dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}

function plots(...figures: string[]): string {
  return `<div class="plots">${figures.join('\n')}</div>`;
}

function renderSkill({ summaries }: ReportInput): string {
  const models = new Set(summaries.flatMap((lead) => lead.summaries.map((s) => s.model)));
  const series = [...models].map((model) => ({
    name: model,
    points: summaries.flatMap((lead) => {
      const found = lead.summaries.find((s) => s.model === model);
      return found ? [{ x: lead.leadHours, y: Math.max(-30, found.skillPercent) }] : [];
    }),
  }));
  return figure(
    drawLines(series, PRODUCT),
    'Skill against pace-nb by lead, clipped at -30%. Named: our forecast and the best others at the longest lead; grey: the rest, in the tables below',
  );
}

function renderPit({ book }: ReportInput): string[] {
  return [...book.byLead]
    .sort(([a], [b]) => a - b)
    .map(([leadHours, models]) =>
      figure(
        drawBars(pitHistogram(models.get(PRODUCT) ?? [])),
        `PIT, lead ${leadHours} h (flat is calibrated)`,
      ),
    );
}

function renderFan(steps: readonly WalkStep[]): string {
  const last = steps.reduce<WalkStep | undefined>(
    (best, step) => (!best || step.window.endTs > best.window.endTs ? step : best),
    undefined,
  );
  if (!last) return '<p>No event.</p>';
  const own = steps
    .filter((step) => step.window.startTs === last.window.startTs)
    .sort((a, b) => b.leadHours - a.leadHours);
  const caption = `p5, p50 and p95 of the final count by lead; the line is the final count ${last.final}`;
  return figure(
    drawFan(
      own.map((step) => ({ lead: step.leadHours, ...pick(step) })),
      last.final,
    ),
    caption,
  );
}

function pick({ forecast }: WalkStep) {
  return { p5: forecast.p5, p50: forecast.p50, p95: forecast.p95, count: forecast.countSoFar };
}

function renderTable({ leadHours, summaries }: ReportInput['summaries'][number]): string {
  const rows = summaries.map((summary) => {
    const mark = summary.model === PRODUCT ? ' class="product"' : '';
    return `<tr${mark}>${listCells(summary)
      .map((cell) => `<td>${escapeHtml(cell)}</td>`)
      .join('')}</tr>`;
  });
  const header = HEADINGS.map((name) => `<th>${name}</th>`).join('');
  return `<h3>${leadHours} h before the end</h3><div class="scroll"><table><tr>${header}</tr>${rows.join('')}</table></div>`;
}

/** What each name on the page means; models that were not run are left out. */
const MODEL_WORDS: Readonly<Record<string, string>> = {
  [PRODUCT]: 'our forecast: a weighted blend of its members',
  core: 'member: fitted state of the account',
  reverting: 'member: returns to the long-run rate',
  session: 'member: the last hours',
  memories: 'member: own regression',
  fixed: 'member: state shared by all accounts',
  calm: 'member: three-month rate',
  'pace-nb': "the window's own pace so far, continued; the reference for skill",
  'pace-poisson': "the window's own pace, with the narrow Poisson width",
  climatology: 'the average of the last 90 days',
  'rolling14-nb': 'the pace of the last 14 days',
  'seasonal-naive': 'the same as last week',
};

const TERM_WORDS: Readonly<Record<string, string>> = {
  lead: 'hours before the end of the window at which the forecast is made',
  CRPS: 'distance between the forecast distribution and the final count, in posts; lower is better',
  skill: 'how much lower the CRPS is than that of pace-nb, in percent; the brackets are a 90% interval',
  'log score': 'minus the log probability of the final count; lower is better',
  'bucket log score': 'the same for the bucket that won',
  RPS: 'squared error of the cumulative bucket probabilities; lower is better',
  'inside 90%, 50%': 'share of final counts inside the forecast range; close to 90 and 50 is right',
  'error %': 'distance between the median forecast and the final count, in percent of the final count',
  PIT: 'where the final count fell in the forecast distribution; flat is right',
};

function renderGlossary({ summaries }: ReportInput): string {
  const models = new Set(summaries.flatMap((lead) => lead.summaries.map(({ model }) => model)));
  const known = Object.entries(MODEL_WORDS).filter(([model]) => models.has(model));
  return renderFacts({ ...Object.fromEntries(known), ...TERM_WORDS });
}

function figure(svg: string, caption: string): string {
  return `<figure>${svg}<figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
}
