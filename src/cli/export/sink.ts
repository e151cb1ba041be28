// Where exported rows go: a CSV stream, or a Parquet file written one row group at a time, so that only one
// group is in memory.

import { closeSync, openSync, writeSync } from 'node:fs';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { writeCsvLine } from '../../domain/csv.ts';
import type { Cell, ColumnType, Row } from './dataset.ts';

const GROUP_ROWS = 50_000;
const OWNER_ONLY = 0o600;

const PARQUET_TYPES = {
  text: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  flag: 'BOOLEAN',
  time: 'TIMESTAMP',
} as const satisfies Record<ColumnType, string>;

export function openParquetFile(path: string, columns: Columns): Sink {
  const types = Object.entries(columns);
  // Created with private permissions; the writer below keeps them.
  closeSync(openSync(path, 'w', OWNER_ONLY));
  const named = types.map(([name, type]) => ({ name, type: PARQUET_TYPES[type], data: [] }));
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: named }),
  });
  let waiting: Row[] = [];

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const columnData = types.map(([name, type], i) => ({
      name,
      data: waiting.map((row) => toParquetValue(type, row[i]!)),
    }));
    waiting = [];
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  }

  return {
    async write(rows) {
      for (const row of rows) if (waiting.push(row) >= GROUP_ROWS) await flush();
    },
    async finish() {
      await flush();
      await writer.finish();
    },
  };
}

function toParquetValue(type: ColumnType, cell: Cell): Cell | bigint {
  const isWhole = type === 'integer' || type === 'time';
  return isWhole && typeof cell === 'number' ? BigInt(cell) : cell;
}

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
  const descriptor = openSync(path, 'w', OWNER_ONLY);
  const sink = createCsvSink(columns, (text) => void writeSync(descriptor, text));
  return { ...sink, finish: () => closeSync(descriptor) };
}

function toCsvValue(cell: Cell): string | number | null {
  return typeof cell === 'boolean' ? Number(cell) : cell;
}
