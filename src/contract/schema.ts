// Schema builders: plain JSON Schema at run time, TypeBox's types at compile time. Importing TypeBox itself
// would load about 370 modules on every start, for only eleven functions.

import type { Static, TSchema, TUnsafe, Type as TypeBoxBuilders } from 'typebox';

type Builders = Pick<
  typeof TypeBoxBuilders,
  | 'Any'
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
>;

type Schema = Record<string, unknown> & { [OPTIONAL]?: true };

/** A symbol key survives when a schema is spread, but is omitted from JSON. */
const OPTIONAL = Symbol('optional');

function listRequired(properties: Record<string, Schema>): { required?: string[] } {
  const required = Object.keys(properties).filter((name) => !properties[name]![OPTIONAL]);
  return required.length > 0 ? { required } : {};
}

const builders = {
  Any: (options: Schema = {}) => ({ ...options }),
  Array: (items: Schema, options: Schema = {}) => ({ type: 'array', items, ...options }),
  Boolean: (options: Schema = {}) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options: Schema = {}) => ({ enum: values, ...options }),
  Integer: (options: Schema = {}) => ({ type: 'integer', ...options }),
  Null: (options: Schema = {}) => ({ type: 'null', ...options }),
  Number: (options: Schema = {}) => ({ type: 'number', ...options }),
  Object: (properties: Record<string, Schema>, options: Schema = {}) => ({
    type: 'object',
    ...listRequired(properties),
    properties,
    ...options,
  }),
  Optional: (schema: Schema) => ({ ...schema, [OPTIONAL]: true }),
  String: (options: Schema = {}) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options: Schema = {}) => ({ anyOf, ...options }),
};

/** For our own endpoints: rejects unknown fields, because a typo would silently change the request. */
export const CLOSED = { additionalProperties: false } as const;

export const Type = builders as unknown as Builders;

/** An object with any keys; all its values have the given schema. */
export function dictionaryOf<T extends TSchema>(values: T, options = {}): TUnsafe<Record<string, Static<T>>> {
  return Type.Object({}, { additionalProperties: values, ...options }) as never;
}
