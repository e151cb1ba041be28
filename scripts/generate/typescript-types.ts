// Generates TypeScript: an interface per schema, and a table of the operations.

import {
  type InterfaceDocument,
  isAccount,
  listOperations,
  listSegments,
  type Operation,
  type Parameter,
  type Schema,
} from './interface-document.ts';

const HEADER = `// Generated from the endpoints by node scripts/generate/clients.ts; do not edit.
`;

export function generateTypeScript(document: InterfaceDocument): string {
  const segments = listSegments(document);
  const schemas = Object.entries(document.components.schemas);
  return [
    HEADER,
    ...schemas.map(([name, schema]) => `${comment(schema, 0)}${declare(name, schema, segments)}\n`),
    'export interface Schemas {',
    ...schemas.map(([name]) => `  ${name}: ${name};`),
    '}\n',
    'export interface Operations {',
    ...listOperations(document).map((operation) => describeOperation(operation, segments)),
    '}\n',
  ].join('\n');
}

function declare(name: string, schema: Schema, segments: readonly string[]): string {
  const type = typeOf(schema, 0, segments);
  return schema.type === 'object' ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
}

function describeOperation(
  { method, path, words, inPath, inQuery, body, answer }: Operation,
  segments: readonly string[],
): string {
  return [
    `  /** ${words} */`,
    `  '${method} ${path}': {`,
    `    path: ${fields(inPath, segments)};`,
    `    query: ${fields(inQuery, segments)};`,
    `    body: ${body ? inputOf(body, segments) : 'undefined'};`,
    `    answer: ${typeOf(answer, 4, segments)};`,
    '  };',
  ].join('\n');
}

/** Optional request fields also accept undefined, at any level of compiler strictness. */
function fields(parameters: readonly Parameter[], segments: readonly string[]): string {
  if (parameters.length === 0) return 'undefined';
  const each = parameters.map(({ name, required, schema }) => {
    const type = typeOf(schema, 4, segments);
    return required ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
  });
  return `{ ${each.join('; ')} }`;
}

function inputOf({ properties = {}, required = [] }: Schema, segments: readonly string[]): string {
  const parameters = Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'body', required: required.includes(name), schema };
  });
  return fields(parameters, segments);
}

export function typeOf(schema: Schema, indent: number, segments: readonly string[]): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.enum) return isAccount(schema.enum, segments) ? 'string' : schema.enum.map(literal).join(' | ');
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((option) => typeOf(option, indent, segments)))].join(' | ');
  }
  switch (schema.type) {
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent, segments));
    case 'object':
      return objectOf(schema, indent, segments);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function arrayOf(element: string): string {
  return element.includes(' | ') ? `(${element})[]` : `${element}[]`;
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: number,
  segments: readonly string[],
): string {
  const pad = ' '.repeat(indent + 2);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema, indent + 2)}${pad}${name}${mark}: ${typeOf(schema, indent + 2, segments)};`;
  });
  if (typeof additionalProperties === 'object') {
    lines.push(`${pad}[name: string]: ${typeOf(additionalProperties, indent + 2, segments)};`);
  } else if (additionalProperties === true || lines.length === 0) {
    lines.push(`${pad}[name: string]: unknown;`);
  }
  return `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`;
}

function comment({ description }: Schema, indent: number): string {
  return description === undefined ? '' : `${' '.repeat(indent)}/** ${description} */\n`;
}
