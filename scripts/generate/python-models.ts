// Generates Python: one dataclass per response record.

import {
  type InterfaceDocument,
  isAccount,
  listOperations,
  listSegments,
  type Schema,
} from './interface-document.ts';

const HEADER = `# Generated from the endpoints by node scripts/generate/clients.ts; do not edit.
"""Response types. Fields hidden from the caller's tier are None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
`;
const KEYWORDS = new Set([
  'from',
  'import',
  'class',
  'def',
  'is',
  'in',
  'not',
  'and',
  'or',
  'pass',
  'global',
]);

interface Writing {
  segments: readonly string[];
  /** Generated classes by name, in output order. */
  classes: Map<string, string>;
}

export function generatePython(document: InterfaceDocument): string {
  const writing: Writing = { segments: listSegments(document), classes: new Map() };
  const { schemas } = document.components;
  const wanted = new Set<string>();
  for (const { answer } of listOperations(document)) collectNames(answer, schemas, wanted);
  for (const name of Object.keys(schemas).filter((each) => wanted.has(each))) {
    writeClass(name, schemas[name]!, writing);
  }
  const names = [...writing.classes.keys()].sort();
  const all = `__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n`;
  return [HEADER, all, '', ...writing.classes.values()].join('\n');
}

function collectNames(schema: Schema, schemas: Record<string, Schema>, into: Set<string>): void {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    if (into.has(name)) return;
    into.add(name);
    collectNames(schemas[name] ?? {}, schemas, into);
  }
  const inside = [
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  for (const each of inside) collectNames(each, schemas, into);
}

function writeClass(name: string, schema: Schema, writing: Writing): void {
  if (schema.enum) {
    writing.classes.set(name, `${name} = ${typeOf(schema, name, writing)}\n\n`);
    return;
  }
  const { properties = {}, required = [] } = schema;
  const lines = Object.entries(properties).map(([field, inner]) => {
    const type = typeOf(inner, name + capitalise(field), writing);
    const isOptional = !required.includes(field);
    const value = isOptional ? ' = None' : '';
    const words = inner.description ? `  # ${inner.description}` : '';
    return `    ${pythonName(field)}: ${isOptional ? orNone(type) : type}${value}${words}`;
  });
  const note = schema.description ? `    """${schema.description}"""\n\n` : '';
  writing.classes.set(
    name,
    `@dataclass(frozen=True, kw_only=True, slots=True)\nclass ${name}:\n${note}${lines.join('\n')}\n\n`,
  );
}

/** `inside` is the class name for an inline object. */
export function typeOf(schema: Schema, inside: string, writing: Writing): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) {
    if (isAccount(schema.enum, writing.segments)) return 'str';
    return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`;
  }
  if (schema.anyOf) {
    const options = new Set(schema.anyOf.map((option) => typeOf(option, inside, writing)));
    // Where an integer is allowed, so is any number.
    if (options.has('float')) options.delete('int');
    return [...options].sort((left, right) => Number(left === 'None') - Number(right === 'None')).join(' | ');
  }
  switch (schema.type) {
    case 'array':
      return `list[${typeOf(schema.items ?? {}, singular(inside), writing)}]`;
    case 'object':
      return objectType(schema, inside, writing);
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    default:
      return 'Any';
  }
}

function objectType(schema: Schema, inside: string, writing: Writing): string {
  if (typeof schema.additionalProperties === 'object') {
    return `dict[str, ${typeOf(schema.additionalProperties, inside, writing)}]`;
  }
  if (Object.keys(schema.properties ?? {}).length === 0) return 'dict[str, Any]';
  writeClass(inside, schema, writing);
  return inside;
}

export function orNone(type: string): string {
  return type.endsWith('| None') ? type : `${type} | None`;
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1)!;
}

/** pit_histogram -> PitHistogram */
function capitalise(field: string): string {
  return field
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** cryptoMarkets -> crypto_markets */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Class name of one element: HourlyRecordHours -> HourlyRecordHour. */
function singular(name: string): string {
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name;
}

function pythonName(field: string): string {
  return KEYWORDS.has(field) ? `${field}_` : field;
}
