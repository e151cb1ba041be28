// Formats rows as comma-separated values (RFC 4180). null becomes an empty field.

export type CsvValue = string | number | null | undefined;

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export function writeCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [columns, ...rows].map(writeCsvLine).join('');
}

export function writeCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(quote).join(',')}\r\n`;
}

/** Titles come from the market and must not become spreadsheet formulas. */
function quote(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
