// An exportable dataset: named columns and a stream of row batches, so that memory use stays constant.

import type { Account } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { Store } from '../../store/ports.ts';

/** time is in UTC milliseconds; flag is a boolean. */
export type ColumnType = 'text' | 'integer' | 'number' | 'flag' | 'time';
export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

export interface Dataset {
  /** Column names in order, with their types. */
  columns: Readonly<Record<string, ColumnType>>;
  listRows(scope: ExportScope): AsyncIterable<readonly Row[]>;
}

/** One row per column: its type, and its value in the source of an exported row. */
export function tableOf<Source>(table: Readonly<Record<string, [ColumnType, (source: Source) => Cell]>>) {
  const cells = Object.values(table);
  return {
    columns: Object.fromEntries(Object.entries(table).map(([name, [type]]) => [name, type])),
    toRow: (source: Source): Row => cells.map(([, read]) => read(source)),
  };
}

export interface ExportScope {
  store: Store;
  accounts: readonly Account[];
  /** One event; null for all. */
  event: MarketEvent | null;
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
}

/** Returns the selected events, ordered by end, then id. */
export async function* listScopeEvents(scope: ExportScope): AsyncGenerator<MarketEvent> {
  if (scope.event) {
    yield scope.event;
    return;
  }
  for (const { accountId } of scope.accounts) {
    const events = await scope.store.events.list(accountId, scope.fromTs);
    yield* events.filter(({ window }) => window.startTs < scope.untilTs);
  }
}

/** Yields the pages of a query; each page starts after the last row of the previous one. */
export async function* readPages<T>(
  limit: number,
  fetchPage: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  let last: T | undefined;
  for (;;) {
    const page = await fetchPage(last);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    last = page.at(-1);
  }
}
