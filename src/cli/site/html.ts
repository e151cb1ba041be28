// HTML for the published pages. Every inserted text is escaped; only `html` makes markup.

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | false | null | undefined | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(writePart)));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function writePart(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object' && part !== null) return part.map(writePart).join('');
  if (part === false || part === null || part === undefined) return '';
  return String(part).replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** No scripts, no other hosts: the pages are plain files. */
const POLICY = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

export interface Page {
  title: string;
  /** Relative path to the folder with the stylesheet: '' or '../'. */
  root: string;
  /** Whether the data comes from the simulator. */
  isSimulated: boolean;
  body: Part;
}

export function renderPage({ title, root, isSimulated, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<header><nav aria-label="Site">
<a class="brand" href="${root}index.html">Tallycast</a>
<a href="${root}index.html">Record</a>
<a href="${root}events/index.html">Events</a>
<a href="${root}index.html#verify">Verify</a>
</nav></header>
<main>
${isSimulated && html`<p class="notice">Simulated data: posts, prices and outcomes come from the simulator.</p>`}
${body}
</main>
<footer><p>Written by <code>tallycast site</code>. Times are in UTC.</p></footer>
</body>
</html>
`.text;
}

export interface Column<T> {
  name: string;
  cell(row: T): Part;
  /** Words are aligned left, numbers right. */
  isText?: boolean;
}

/** The first column names the row. */
export function renderTable<T>(
  label: string,
  rows: readonly T[],
  columns: readonly Column<T>[],
  caption?: string,
): Markup {
  const kind = ({ isText }: Column<T>, i: number) => (isText || i === 0) && html` class="text"`;
  return html`${caption && html`<p class="fine">${caption}</p>`}
<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map((column, i) => html`<th scope="col"${kind(column, i)}>${column.name}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column, i) =>
    i === 0
      ? html`<th scope="row" class="text">${column.cell(row)}</th>`
      : html`<td${kind(column, i)}>${column.cell(row)}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div>
`;
}

const NONE = '–';

export function formatDecimal(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? NONE : value.toFixed(digits).replace('-', '\u2212');
}

export function formatPercent(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? NONE : `${formatDecimal(100 * value, digits)}%`;
}

export function formatDay(ts: number | null): string {
  return ts === null ? NONE : new Date(ts).toISOString().slice(0, 10);
}

export function formatMinute(ts: number): string {
  return new Date(ts).toISOString().slice(0, 16).replace('T', ' ');
}

interface Interval {
  low: number | null;
  high: number | null;
}

/** A mean with its 90% interval on a second line. */
export function estimate(
  mean: number | null,
  { low, high }: Interval,
  format: (value: number | null) => string,
): Markup {
  if (mean === null) return html`${NONE}`;
  const range = low !== null && html` <span class="range">${format(low)} to ${format(high)}</span>`;
  return html`<span class="mean">${format(mean)}</span>${range}`;
}
