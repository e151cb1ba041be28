// One list of columns per record. It yields the record's type, the table's row type, the columns' SQL types and
// the conversions between record and row. A field `keyId` is stored in the column `key_id` unless it is named.

export type Flag = 0 | 1;

export type ColumnType = 'text' | 'bigint' | 'double precision' | 'bytea';

export interface Column<Value, Stored = Value, Name extends string = ''> {
  sql: ColumnType;
  /** Empty if the name follows from the field. */
  name: Name;
  encode(value: Value): Stored;
  decode(stored: Stored): Value;
}

/** Any column; `never` accepts a column of every type. */
interface AnyColumn {
  sql: ColumnType;
  name: string;
  encode(value: never): unknown;
  decode(stored: never): unknown;
}

type Columns = Readonly<Record<string, AnyColumn>>;

export type RecordOf<Of extends Columns> = { [Field in keyof Of]: ReturnType<Of[Field]['decode']> };

export type RowOf<Of extends Columns> = {
  [Field in keyof Of & string as NameOf<Of[Field]['name'], Field>]: ReturnType<Of[Field]['encode']>;
};

type NameOf<Name extends string, Field extends string> = Name extends '' ? Snake<Field> : Name;

type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

export const text = plain<string>('text');
export const whole = plain<number>('bigint');
export const real = plain<number>('double precision');

export const flag: Column<boolean, Flag> = {
  sql: 'bigint',
  name: '',
  encode: toFlag,
  decode: (stored) => stored === 1,
};

/** Text with a few known values. */
export function word<Value extends string>(): Column<Value> {
  return plain<Value>('text');
}

export function json<Value>(): Column<Value, string> {
  return { sql: 'text', name: '', encode: JSON.stringify, decode: (stored) => JSON.parse(stored) as Value };
}

export function orNull<Value, Stored, Name extends string>(
  column: Column<Value, Stored, Name>,
): Column<Value | null, Stored | null, Name> {
  return {
    ...column,
    encode: (value) => (value === null ? null : column.encode(value)),
    decode: (stored) => (stored === null ? null : column.decode(stored)),
  };
}

export function named<Value, Stored, Name extends string>(
  name: Name,
  column: Column<Value, Stored>,
): Column<Value, Stored, Name> {
  return { ...column, name };
}

export interface RecordTable<Of extends Columns> {
  columns: Of;
  /** In the order of the fields. */
  sqlTypes: { readonly [Name in keyof RowOf<Of>]: ColumnType };
  toRow(record: RecordOf<Of>): RowOf<Of>;
  fromRow(row: RowOf<Of>): RecordOf<Of>;
}

export function createRecordTable<Of extends Columns>(columns: Of): RecordTable<Of> {
  const fields = Object.entries(columns).map(([field, column]) => ({
    field,
    name: column.name || field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    column: column as Column<unknown, unknown, string>,
  }));
  return {
    columns,
    sqlTypes: Object.fromEntries(
      fields.map(({ name, column }) => [name, column.sql]),
    ) as RecordTable<Of>['sqlTypes'],
    toRow(record) {
      const row: Record<string, unknown> = {};
      for (const { field, name, column } of fields) row[name] = column.encode(record[field]);
      return row as RowOf<Of>;
    },
    fromRow(row) {
      const stored = row as Readonly<Record<string, unknown>>;
      const record: Record<string, unknown> = {};
      for (const { field, name, column } of fields) record[field] = column.decode(stored[name]);
      return record as RecordOf<Of>;
    },
  };
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

function plain<Value>(sql: ColumnType): Column<Value> {
  const same = (value: Value) => value;
  return { sql, name: '', encode: same, decode: same };
}
