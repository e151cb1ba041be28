// Where exported rows go: a CSV stream or a Parquet file.

import { closeSync, openSync, writeSync } from 'node:fs';
import { writeCsvLine } from '../../server/records/csv.ts';
import type { Cell, ColumnType, Row } from './dataset.ts';

export type Columns = Readonly<Record<string, ColumnType>>;

export interface Sink {
  write(rows: readonly Row[]): Promise<void> | void;
  finish(): Promise<void> | void;
}

export function createCsvSink(columns: Columns, print: (text: string) => void): Sink {
  print(writeCsvLine(Object.keys(columns)));
  return {
    write: (rows) => print(rows.map((row) => writeCsvLine(row.map(toCsvValue))).join('')),
    finish() {},
  };
}

export function openCsvFile(path: string, columns: Columns): Sink {
  const descriptor = openSync(path, 'w', 0o600);
  const sink = createCsvSink(columns, (text) => void writeSync(descriptor, text));
  return { ...sink, finish: () => closeSync(descriptor) };
}

function toCsvValue(cell: Cell): string | number | null {
  return typeof cell === 'boolean' ? Number(cell) : cell;
}
