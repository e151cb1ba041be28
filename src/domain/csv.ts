// The one reader and the one writer of CSV (RFC 4180). Errors name line and column; the caller adds the file.

import { parse, CsvError as SyntaxFault } from 'csv-parse/sync';

export class CsvError extends Error {
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.name = 'CsvError';
  }
}

/** Larger files are refused instead of filling the memory. */
const MAX_CHARACTERS = 256 * 2 ** 20;

export type CsvDelimiter = ',' | ';' | '\t';

/** Column names of the reader, and their places in the file. */
export type CsvPlaces = ReadonlyMap<string, number>;

export class CsvRow {
  /** Starts at 1, with the header. */
  readonly line: number;
  readonly fields: readonly string[];
  readonly #places: CsvPlaces;

  constructor(line: number, fields: readonly string[], places: CsvPlaces) {
    this.line = line;
    this.fields = fields;
    this.#places = places;
  }

  /** Empty if the file does not have the column. */
  text(column: string): string {
    return this.fields[this.#places.get(column) ?? -1] ?? '';
  }

  fail(column: string, problem: string): never {
    throw new CsvError(this.line, `${column} (column ${(this.#places.get(column) ?? -1) + 1}) ${problem}`);
  }

  number(column: string): number {
    const text = this.text(column);
    const value = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : this.fail(column, 'is not a number');
  }

  integer(column: string): number {
    const value = this.number(column);
    return Number.isInteger(value) ? value : this.fail(column, 'is not a whole number');
  }

  /** null if it is empty. */
  optional(column: string): number | null {
    return this.text(column) === '' ? null : this.number(column);
  }
}

export interface CsvFile {
  headers: readonly string[];
  rows: readonly CsvRow[];
}

/** `locate` finds the columns by the header. A row may have more or fewer fields than the header. */
export function readCsv(text: string, locate: (headers: readonly string[]) => CsvPlaces): CsvFile {
  if (text.length > MAX_CHARACTERS)
    throw new CsvError(1, `the file is larger than ${MAX_CHARACTERS} characters`);
  let headers: readonly string[] = [];
  let places: CsvPlaces | undefined;
  const rows: CsvRow[] = [];
  let lines = 0;
  const options = {
    bom: true,
    delimiter: findDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  };
  try {
    parse(text, {
      ...options,
      on_record(fields: string[], context) {
        lines = context.lines;
        if (places) rows.push(new CsvRow(lines, fields, places));
        else places = locate((headers = fields));
        return null;
      },
    });
    if (!places) locate(headers);
    return { headers, rows };
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new CsvError(lines + 1, 'a quoted field is not closed');
  }
}

/** For a header with known names, in any case and order. */
export function locateNames(
  required: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): (headers: readonly string[]) => CsvPlaces {
  return (headers) => {
    const names = headers.map((header) => header.toLowerCase());
    const places = new Map(names.map((name, i) => [aliases[name] ?? name, i]));
    const missing = required.filter((name) => !places.has(name));
    if (missing.length > 0) throw new CsvError(1, `missing column ${missing.join(', ')}`);
    return places;
  };
}

function findDelimiter(text: string): CsvDelimiter {
  const header = /^.*/.exec(text)![0];
  if (header.includes(',')) return ',';
  return header.includes('\t') ? '\t' : header.includes(';') ? ';' : ',';
}

// Writing. null becomes an empty field.

export type CsvValue = string | number | null | undefined;

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export function writeCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [columns, ...rows].map(writeCsvLine).join('');
}

export function writeCsvLine(values: readonly CsvValue[]): string {
  const cells: string[] = [];
  let from = 0;
  for (let to = 0; to <= values.length; to++) {
    const value = values[to];
    if (to < values.length && typeof value !== 'string') continue;
    if (to > from) cells.push(writeNumbers(values.slice(from, to)));
    if (typeof value === 'string') cells.push(quote(value));
    from = to + 1;
  }
  return `${cells.join(',')}\r\n`;
}

/** JSON writes numbers several times faster than String does. */
function writeNumbers(values: readonly CsvValue[]): string {
  return JSON.stringify(values).slice(1, -1).replaceAll('null', '');
}

/** Titles come from the market and must not become spreadsheet formulas. */
function quote(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
