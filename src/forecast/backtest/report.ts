// The backtest's report: one self-contained page with tables and plots, no script, no outside address.

import { drawBars, drawFan, drawLines, drawReliability } from './plots.ts';
import type { ModelSummary, ScoreBook } from './score-book.ts';
import { PRODUCT, pitHistogram } from './score-book.ts';
import type { WalkStep } from './walk-forward.ts';

export interface ReportInput {
  title: string;
  summaries: readonly { leadHours: number; summaries: readonly ModelSummary[] }[];
  book: ScoreBook;
  steps: readonly WalkStep[];
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2rem auto;padding:0 1rem;color:#1b2430}
table{border-collapse:collapse;font-size:13px;width:100%;margin:.5rem 0 1.5rem}td,th{padding:.25rem .5rem;text-align:right;border-bottom:1px solid #dde3ea}
td:first-child,th:first-child{text-align:left}tr.product{font-weight:600;background:#eef4fb}figure{display:inline-block;margin:0 1rem 1rem 0}figcaption{font-size:13px;color:#52606d}`;

export function renderReport(input: ReportInput): string {
  const parts = [
    `<h1>Backtest</h1><p>${escapeHtml(input.title)}</p>`,
    '<h2>Skill by lead</h2>',
    renderSkill(input),
    '<h2>Calibration</h2>',
    ...renderPit(input),
    figure(drawReliability(input.book.reliability), 'Reliability of bucket probabilities, all leads'),
    '<h2>Fan of the last event</h2>',
    renderFan(input.steps),
    '<h2>Scores</h2>',
    ...input.summaries.map(renderTable),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Backtest</title><style>${STYLE}</style></head><body>${parts.join('\n')}</body></html>\n`;
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
    'CRPS skill against pace-nb, percent (cut at -30), by lead in hours',
  );
}

function renderPit({ book }: ReportInput): string[] {
  return [...book.byLead]
    .sort(([a], [b]) => a - b)
    .map(([leadHours, models]) =>
      figure(drawBars(pitHistogram(models.get(PRODUCT) ?? [])), `PIT, lead ${leadHours} h (flat is right)`),
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
  const head = [
    'model',
    'n',
    'CRPS',
    'skill %',
    '90 % interval',
    'log',
    'bucket log',
    'RPS',
    'cov90',
    'cov50',
    'p50 err median / p90',
  ];
  const rows = summaries.map((s) => {
    const cells = [
      escapeHtml(s.model),
      s.events,
      s.crps.toFixed(3),
      s.skillPercent.toFixed(1),
      `${s.skillInterval.lo.toFixed(1)} to ${s.skillInterval.hi.toFixed(1)}`,
      s.logScore.toFixed(3),
      s.bucketLogScore.toFixed(3),
      s.rps.toFixed(3),
      `${s.coverage90.toFixed(1)} (${s.coverage90Interval.lo.toFixed(0)} to ${s.coverage90Interval.hi.toFixed(0)})`,
      `${s.coverage50.toFixed(1)} (${s.coverage50Interval.lo.toFixed(0)} to ${s.coverage50Interval.hi.toFixed(0)})`,
      `${s.errorMedian.toFixed(1)} / ${s.errorP90.toFixed(1)}`,
    ];
    const mark = s.model === PRODUCT ? ' class="product"' : '';
    return `<tr${mark}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const header = head.map((name) => `<th>${name}</th>`).join('');
  return `<h3>${leadHours} h before the end</h3><table><tr>${header}</tr>${rows.join('')}</table>`;
}

function figure(svg: string, caption: string): string {
  return `<figure>${svg}<figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
}
