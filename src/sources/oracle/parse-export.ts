// The oracle's CSV export. Its date-time cells hold an unquoted comma ('4/23/2026, 7:27:32 PM'), so rows are
// read from both ends: two cells in front, the dates at the back, and whatever lies between is the text.

import { MARKET_TIME_ZONE, wallToUtcTs } from '../../domain/zoned-time.ts';
import { splitCsvRows } from './csv-rows.ts';

export interface OracleExportRow {
  postId: string;
  handle: string;
  text: string;
  createdTs: number;
  importedTs: number | null;
}

export interface OracleExport {
  rows: OracleExportRow[];
  badLines: { line: number; reason: string }[];
}

const DATE_CELL = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:, ?(\d{1,2}:\d{2}:\d{2} [AP]M))?$/i;
const TIME_CELL = /^(\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i;

/** Times are those of New York, whatever the heading says about EST. */
export function parseOracleExport(csv: string): OracleExport {
  const rows: OracleExportRow[] = [];
  const badLines: OracleExport['badLines'] = [];
  for (const { line, cells } of splitCsvRows(csv)) {
    if (cells.length === 1 && cells[0]!.trim() === '') continue;
    if (/^tweet id$/i.test(cells[0]!.trim())) continue;
    const row = parseRow(cells);
    if (typeof row === 'string') badLines.push({ line, reason: row });
    else rows.push(row);
  }
  return { rows, badLines };
}

function parseRow(cells: readonly string[]): OracleExportRow | string {
  const [postId, handle] = [cells[0]!.trim(), (cells[1] ?? '').trim()];
  if (!/^\d{1,20}$/.test(postId)) return `'${postId.slice(0, 30)}' is no post id`;
  const firstDate = findDatesFrom(cells);
  if (firstDate === -1) return 'no dates at the end of the row';
  const moments = readMoments(cells.slice(firstDate));
  if (moments.length === 0) return 'the posting time cannot be read';
  const text = cells.slice(2, firstDate).join(',');
  return { postId, handle, text, createdTs: moments[0]!, importedTs: moments[1] ?? null };
}

/** Index of the first cell of the unbroken run of dates and times that ends the row. */
function findDatesFrom(cells: readonly string[]): number {
  let at = cells.length;
  while (at > 2 && isDateOrTime(cells[at - 1]!.trim())) at -= 1;
  // Of an over-long run only the last eight cells can be the export's own.
  return at === cells.length ? -1 : Math.max(at, cells.length - 8);
}

function isDateOrTime(cell: string): boolean {
  return DATE_CELL.test(cell) || TIME_CELL.test(cell);
}

/** Each moment is written twice, once whole and once in two cells: every second one is told. */
function readMoments(cells: readonly string[]): number[] {
  const moments: number[] = [];
  for (let at = 0; at < cells.length; at++) {
    const date = DATE_CELL.exec(cells[at]!.trim());
    if (!date) continue;
    const ts = toTs(date, date[4] ?? cells[at + 1]?.trim() ?? '');
    if (ts !== null) moments.push(ts);
  }
  return moments.filter((_, index) => index % 2 === 0);
}

function toTs(date: RegExpExecArray, timeText: string): number | null {
  const time = TIME_CELL.exec(timeText);
  if (!time) return null;
  const [month, day, year] = [Number(date[1]), Number(date[2]), Number(date[3])];
  const hour = (Number(time[1]) % 12) + (time[4]!.toUpperCase() === 'P' ? 12 : 0);
  if (month < 1 || month > 12 || day < 1 || day > 31 || Number(time[2]) > 59) return null;
  const minuteTs = wallToUtcTs({ year, month, day, hour, minute: Number(time[2]) }, MARKET_TIME_ZONE);
  return minuteTs + Number(time[3]) * 1000;
}
