// Compares exported Parquet files with API responses, both read by DuckDB: each response must exactly match
// the export as of the time of the response.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CHECKS, type Pair } from './checks.ts';

export interface Tally {
  what: string;
  compared: number;
  different: number;
  /** One example difference. */
  example: string | null;
}

export interface Tables {
  /** Parquet files by dataset. */
  exported: Readonly<Record<string, string>>;
  /** JSON Lines files by table, with their columns. */
  answers: Readonly<Record<string, { file: string; columns: string }>>;
}

export async function reconcile({ exported, answers }: Tables): Promise<Tally[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  for (const [name, file] of Object.entries(exported))
    await connection.run(
      `create table ${name} as select * from read_parquet('${file}', file_row_number = true)`,
    );
  for (const [name, { file, columns }] of Object.entries(answers)) {
    const types = columns.split(', ').map((column) => column.replace(/ (\w+)$/, ": '$1'"));
    await connection.run(
      `create table ${name} as select * from read_json('${file}', columns = {${types.join()}})`,
    );
  }
  const tallies: Tally[] = [];
  for (const { from, name, pairs } of CHECKS)
    for (const [column, pair] of Object.entries(pairs))
      tallies.push({ what: `${name}: ${column}`, ...(await compare(connection, from, pair)) });
  connection.closeSync();
  return tallies;
}

async function compare(
  connection: DuckDBConnection,
  from: string,
  [exported, answered]: Pair,
): Promise<Omit<Tally, 'what'>> {
  const differs = `filter (where ${exported} is distinct from ${answered})`;
  const example = `any_value({'exported': ${exported}, 'answered': ${answered}, 'of': s}::varchar) ${differs}`;
  const read = await connection.runAndReadAll(
    `select count(*)::int as compared, count(*) ${differs}::int as different, ${example} as example ${from}`,
  );
  return read.getRowObjectsJS()[0] as unknown as Omit<Tally, 'what'>;
}
