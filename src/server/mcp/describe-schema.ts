// Describes a schema in compact notation: { event_id: integer, title: string }[].

import type { TSchema } from 'typebox';

interface Schema {
  type?: string;
  title?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
}

/** Named types are referenced by name and collected in `types`. */
export function describeType(schema: TSchema, types: Map<string, string>): string {
  const { title } = schema as Schema;
  if (title === undefined) return describeBare(schema as Schema, types);
  if (!types.has(title)) {
    // Register the type before its fields, so that a recursive type terminates.
    types.set(title, '');
    types.set(title, describeBare(schema as Schema, types));
  }
  return title;
}

function describeBare(
  { type, enum: values, anyOf, items, properties, required = [] }: Schema,
  types: Map<string, string>,
): string {
  const inner = (schema: Schema) => describeType(schema as TSchema, types);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(inner).join(' | ');
  if (items) return `${inner(items).includes(' | ') ? `(${inner(items)})` : inner(items)}[]`;
  if (!properties) return type ?? 'any';
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${inner(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** Describes one parameter with its constraints. */
export function describeParameter(name: string, schema: TSchema, isRequired: boolean): string {
  const { minimum, maximum, default: preset, description } = schema as Schema;
  const facts = [
    describeType(schema, new Map()),
    isRequired && 'required',
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    preset !== undefined && `default ${preset}`,
  ].filter((fact) => fact !== false);
  return `\`${name}\` (${facts.join(', ')})${description ? `: ${description}` : ''}`;
}
