// A record is a table of rows. Each row states a field's wire name, its schema and how its value is obtained,
// so that schema, type and presenter always agree. Rows are sent in table order.

import type { Static, TNull, TNumber, TObject, TOptional, TProperties, TSchema, TUnion } from 'typebox';
import { named } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Undeclared } from '../http/exact-body.ts';

/** A field: its schema, and its value for a source; an optional field is omitted if its value is undefined. */
export type Row<Source, Schema extends TSchema> = readonly [Schema, (source: Source) => FieldValue<Schema>];

export type Rows<Source, Fields extends TProperties> = { [Name in keyof Fields]: Row<Source, Fields[Name]> };

type FieldValue<Schema extends TSchema> =
  Schema extends TOptional<TSchema> ? Static<Schema> | undefined : Static<Schema>;

/** Rejects a row if its value has fields that its schema lacks. */
type ExactRows<Given> = {
  [Name in keyof Given]: Given[Name] extends readonly [
    infer Schema extends TSchema,
    (source: never) => infer Value,
  ]
    ? Undeclared<Static<Schema>, Value>
    : never;
};

export interface RecordTable<Source, Fields extends TProperties> {
  readonly schema: TObject<Fields>;
  readonly present: (source: Source) => Static<TObject<Fields>>;
}

/** Rows that several records share. */
export function rowsOf<Source>() {
  return <Fields extends TProperties>(rows: Rows<Source, Fields>): Rows<Source, Fields> => rows;
}

/** A record; its name becomes the name of its type in clients. Without a name, the schema is inlined. */
export function recordOf<Source>(name?: string) {
  return <
    Fields extends TProperties,
    Given extends Record<string, readonly [TSchema, (source: Source) => unknown]>,
  >(
    rows: Rows<Source, Fields> & Given & ExactRows<Given>,
  ): RecordTable<Source, Fields> => {
    const fields = Object.entries(rows as Record<string, Row<Source, TSchema>>);
    const schemas = Object.fromEntries(fields.map(([field, [schema]]) => [field, schema])) as Fields;
    const schema = Type.Object(schemas);
    const present = (source: Source) => {
      const record: Record<string, unknown> = {};
      for (const [field, [, read]] of fields) {
        const value = read(source);
        if (value !== undefined) record[field] = value;
      }
      return record as Static<TObject<Fields>>;
    };
    return { schema: name === undefined ? schema : named(name, schema), present };
  };
}

/** A number rounded to six decimals, for probabilities and prices. */
export function six<Source>(read: (source: Source) => number, options = {}): Row<Source, TNumber> {
  return [Type.Number(options), (source) => round6(read(source))];
}

/** A number rounded to six decimals, or null. */
export function maybeSix<Source>(
  read: (source: Source) => number | null | undefined,
  options = {},
): Row<Source, TUnion<[TNumber, TNull]>> {
  const schema = Type.Union([Type.Number(), Type.Null()], options);
  return [
    schema,
    (source) => {
      const value = read(source) ?? null;
      return value === null ? null : round6(value);
    },
  ];
}

/** A number rounded to cents. */
export function cents<Source>(read: (source: Source) => number, options = {}): Row<Source, TNumber> {
  return [Type.Number(options), (source) => round2(read(source))];
}

export function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

export function round2(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
