// Hourly usage sums in addition to the rows, so that reading a key's last 90 days takes a few thousand sums
// instead of millions of rows. Existing rows are summed once.

import type { ColumnTypes, Migration } from './migration.ts';

const HOUR_MS = 3_600_000;

export const usageHours: Migration = {
  version: 5,
  name: 'usage hours',
  statements: (types) => [createTable(types), fillTable(types)],
};

function createTable({ integer, real, key, tableEnd }: ColumnTypes): string {
  return `create table usage_hours (
    key_id ${key} not null,
    hour_ts ${integer} not null,
    endpoint ${key} not null,
    method ${key} not null,
    requests ${integer} not null,
    errors ${integer} not null,
    response_ms ${real} not null,
    bytes ${integer} not null,
    primary key (key_id, hour_ts, endpoint, method)
  )${tableEnd}`;
}

function fillTable({ integer }: ColumnTypes): string {
  return `insert into usage_hours
    select key_id, ts - ts % ${HOUR_MS}, endpoint, method, count(*),
      cast(sum(case when status >= 400 then 1 else 0 end) as ${integer}), sum(response_ms), cast(sum(bytes) as ${integer})
    from usage group by 1, 2, 3, 4`;
}
