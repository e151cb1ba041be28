// Exports rows from the store for use in other programs.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { loadConfig } from '../../config/config.ts';
import type { Account } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { Store } from '../../store/ports.ts';
import { findAccount, readInstant, readWhole, readWordsAndOptions, required } from '../arguments.ts';
import type { Command, Output, Terminal } from '../command.ts';
import {
  adviceDataset,
  countsDataset,
  forecastsDataset,
  postsDataset,
  pricesDataset,
} from '../export/all-datasets.ts';
import type { Dataset, ExportScope } from '../export/dataset.ts';
import { type Columns, createCsvSink, openCsvFile, openParquetFile, type Sink } from '../export/sink.ts';
import { withStore } from '../open-configured-store.ts';

export const DATASETS: Readonly<Record<string, Dataset>> = {
  posts: postsDataset,
  prices: pricesDataset,
  counts: countsDataset,
  forecasts: forecastsDataset,
  advice: adviceDataset,
};

const NAMES = Object.keys(DATASETS).join('|');

export const usage = `usage: npx tallycast export ${NAMES} [FILE] [options] [settings]

Write rows from the configured store as CSV or Parquet. Without FILE, CSV goes to stdout. Safe to run while the service
is up. docs/export.md lists the columns.

  --account X        a, b, ... or a segment (default: all)
  --event ID         only this event
  --from T, --to T   time range, from inclusive and to exclusive: ISO or UTC milliseconds
  --columns A,B,...  only these columns, in this order
  --format F         csv or parquet (default: from the extension of FILE)
  --force            replace an existing file

examples:
  npx tallycast export posts posts.csv --account a --from 2026-10-01
  npx tallycast export forecasts forecasts.parquet --event 12345
  npx tallycast export posts --columns tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted > history.csv`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const options = readExportOptions(config.rest, config.accounts);
  await withStore(config, async (store) => {
    const event = options.eventId === null ? null : await findEvent(store, options);
    await exportRows(options, { store, event, ...options.range, accounts: options.accounts }, terminal);
  });
  return undefined;
};

interface ExportOptions {
  name: string;
  dataset: Dataset;
  file: string | null;
  format: string;
  accounts: readonly Account[];
  eventId: number | null;
  range: { fromTs: number; untilTs: number };
  force: boolean;
}

async function exportRows(options: ExportOptions, scope: ExportScope, terminal: Terminal): Promise<void> {
  const { file, name, dataset } = options;
  const counter = createRowCounter(name, terminal.notes);
  // Rename when complete, so that an interrupted export never looks finished.
  const partFile = file === null ? null : `${file}.part`;
  const sink = openSink(options.format, partFile, dataset.columns, terminal.output);
  try {
    for await (const rows of dataset.listRows(scope)) {
      await sink.write(rows);
      counter.add(rows.length);
    }
    await sink.finish();
    if (file !== null) renameSync(partFile!, file);
  } catch (error) {
    if (partFile !== null) rmSync(partFile, { force: true });
    throw error;
  }
  counter.finish(file);
}

function openSink(format: string, path: string | null, columns: Columns, output: Output): Sink {
  if (path === null) return createCsvSink(columns, (text) => void output.write(text));
  return format === 'parquet' ? openParquetFile(path, columns) : openCsvFile(path, columns);
}

function readExportOptions(args: readonly string[], known: readonly Account[]): ExportOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = readWordsAndOptions(args, 2, {
    ...{ account: text, event: text, from: text, to: text, columns: text, format: text },
    force: { type: 'boolean', default: false },
  });
  const [name = '', file = null] = positionals;
  const dataset = DATASETS[required(name, NAMES)];
  if (!dataset) throw new UsageError(`"${name}" cannot be exported; choose one of ${NAMES}`);
  const format = chooseFormat(values.format, file);
  if (file !== null && !values.force && existsSync(file))
    throw new UsageError(`${file} exists. Pass --force to replace it.`);
  return {
    ...{ name, file, format, force: values.force },
    dataset: values.columns === undefined ? dataset : pickColumns(dataset, values.columns.split(',')),
    accounts: values.account === undefined ? known : [findAccount(known, values.account)],
    eventId: values.event === undefined ? null : readWhole('--event', values.event),
    range: readRange(values.from, values.to),
  };
}

function chooseFormat(given: string | undefined, file: string | null): string {
  const format = given ?? (file?.endsWith('.parquet') ? 'parquet' : 'csv');
  if (format !== 'csv' && format !== 'parquet')
    throw new UsageError(`--format must be csv or parquet, not "${format}"`);
  if (format === 'parquet' && file === null)
    throw new UsageError('FILE is missing: Parquet cannot be written to stdout');
  return format;
}

function readRange(from: string | undefined, to: string | undefined): { fromTs: number; untilTs: number } {
  const fromTs = from === undefined ? 0 : readInstant('--from', from);
  const untilTs = to === undefined ? Number.MAX_SAFE_INTEGER : readInstant('--to', to);
  if (fromTs >= untilTs) throw new UsageError('--to must be after --from');
  return { fromTs, untilTs };
}

async function findEvent(store: Store, { eventId, accounts }: ExportOptions): Promise<MarketEvent> {
  const event = await store.events.find(eventId!);
  if (!event) throw new UsageError(`--event ${eventId} is not in this store`);
  if (!accounts.some(({ accountId }) => accountId === event.accountId))
    throw new UsageError(`--event ${eventId} belongs to account ${event.accountId}; check --account`);
  return event;
}

function pickColumns(dataset: Dataset, names: readonly string[]): Dataset {
  const known = Object.keys(dataset.columns);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--columns: "${unknown}" is not a column; columns are ${known.join(', ')}`);
  const places = names.map((name) => known.indexOf(name));
  return {
    columns: Object.fromEntries(names.map((name) => [name, dataset.columns[name]!])),
    async *listRows(scope) {
      for await (const rows of dataset.listRows(scope))
        yield rows.map((row) => places.map((place) => row[place]!));
    },
  };
}

const REDRAW_MS = 100;

interface RowCounter {
  add(rows: number): void;
  finish(file: string | null): void;
}

function createRowCounter(name: string, output: Output): RowCounter {
  let rows = 0;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    add(more) {
      rows += more;
      if (!output.isTTY || performance.now() - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = performance.now();
      output.write(`\r${name}: ${rows} rows\u001b[K`);
    },
    finish(file) {
      const start = output.isTTY ? '\r' : '';
      output.write(`${start}${name}: ${rows} rows${file === null ? '' : ` in ${file}`}\n`);
    },
  };
}
