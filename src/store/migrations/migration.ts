// Type of a migration: numbered, forward only, one list for both engines.

import type { EngineName } from '../engine.ts';

/** Column types and table options that differ between the engines. */
export interface ColumnTypes {
  engine: EngineName;
  /** 64-bit integer: times, ids, counts. */
  integer: string;
  real: string;
  /** Text compared by bytes, not by locale. */
  key: string;
  text: string;
  bytes: string;
  /** Text after the closing parenthesis of a regular table. */
  tableEnd: string;
}

export interface Migration {
  version: number;
  name: string;
  statements(types: ColumnTypes): string[];
}

export const COLUMN_TYPES: Record<EngineName, ColumnTypes> = {
  sqlite: {
    engine: 'sqlite',
    integer: 'integer',
    real: 'real',
    key: 'text',
    text: 'text',
    bytes: 'blob',
    tableEnd: ' strict',
  },
  postgres: {
    engine: 'postgres',
    integer: 'bigint',
    real: 'double precision',
    key: 'text collate "C"',
    text: 'text',
    bytes: 'bytea',
    tableEnd: '',
  },
};
