// npm run generate-client: writes the client's types from docs/openapi.json, in the shape that openapi-fetch
// reads. The two accounts' addresses become one with a parameter, since operators name their own segments.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

interface Operation {
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface InterfaceDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const SEGMENTS = ['account_a', 'account_b'];
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const HEADER = `// Written by npm run generate-client from docs/openapi.json; changes made here are lost.
`;

export function generateClientTypes(document: InterfaceDocument): string {
  const paths = Object.entries(document.paths).filter(([path]) => !isSecondAccount(path, document));
  const schemas = Object.entries(document.components.schemas);
  return [
    HEADER,
    'export interface paths {',
    ...paths.map(([path, operations]) => `  '${toTemplate(path)}': {\n${pathItem(path, operations)}  };`),
    '}\n',
    'export interface components {\n  schemas: {',
    ...schemas.map(([name, schema]) => `${comment(schema, 4)}    ${name}: ${typeOf(schema, 4)};`),
    '  };\n}\n',
    "export type Schemas = components['schemas'];\n",
  ].join('\n');
}

/** Whatever exists for the first account stands for both. */
function isSecondAccount(path: string, document: InterfaceDocument): boolean {
  const [first, second] = SEGMENTS as [string, string];
  return path.includes(`/${second}`) && path.replace(second, first) in document.paths;
}

function toTemplate(path: string): string {
  return path.replace(/\/account_[ab](?=\/|$)/, '/{account}');
}

function pathItem(path: string, operations: Record<string, Operation>): string {
  const isTemplate = toTemplate(path) !== path;
  const lines = ['    parameters: { query?: never; header?: never; path?: never; cookie?: never };'];
  for (const method of METHODS) {
    const operation = operations[method];
    if (operation)
      lines.push(describe(operation), `    ${method}: {`, ...body(operation, isTemplate), '    };');
    else lines.push(`    ${method}?: never;`);
  }
  return `${lines.join('\n')}\n`;
}

function describe({ summary, description }: Operation): string {
  const words = summary
    .replaceAll(/account_[ab]'s/g, "an account's")
    .replaceAll(/account_[ab]/g, 'an account');
  return `    /** ${description ? `${words}. ${description}` : words} */`;
}

function body(operation: Operation, isTemplate: boolean): string[] {
  const inPath = [
    ...(isTemplate ? [{ name: 'account', required: true, schema: { type: 'string' } as Schema }] : []),
    ...listParameters(operation, 'path'),
  ];
  const inQuery = listParameters(operation, 'query');
  const isQueryNeeded = inQuery.some(({ required }) => required);
  const sent = operation.requestBody?.content['application/json']?.schema;
  return [
    '      parameters: {',
    inQuery.length === 0
      ? '        query?: never;'
      : `        query${isQueryNeeded ? '' : '?'}: ${fields(inQuery)};`,
    '        header?: never;',
    inPath.length === 0 ? '        path?: never;' : `        path: ${fields(inPath)};`,
    '        cookie?: never;',
    '      };',
    sent
      ? `      requestBody: { content: { 'application/json': ${typeOf(sent, 6)} } };`
      : '      requestBody?: never;',
    '      responses: {',
    ...Object.entries(operation.responses).map(([status, { content }]) => {
      const types = Object.entries(content ?? {}).map(
        ([type, { schema }]) => `'${type}': ${typeOf(schema, 8)}`,
      );
      const held = types.length === 0 ? 'content?: never' : `content: { ${types.join('; ')} }`;
      return `        ${status}: { headers: { [name: string]: unknown }; ${held} };`;
    }),
    '      };',
  ];
}

type Parameter = { name: string; required: boolean; schema: Schema };

function listParameters({ parameters }: Operation, place: string): Parameter[] {
  return (parameters ?? []).filter((parameter) => parameter.in === place);
}

function fields(parameters: readonly Parameter[]): string {
  const each = parameters.map(
    ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema, 8)}`,
  );
  return `{ ${each.join('; ')} }`;
}

export function typeOf(schema: Schema, indent: number): string {
  if (schema.$ref) return `components['schemas']['${schema.$ref.split('/').at(-1)}']`;
  if (schema.enum) return isAccount(schema.enum) ? 'string' : schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((option) => typeOf(option, indent)))].join(' | ');
  switch (schema.type) {
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent));
    case 'object':
      return objectOf(schema, indent);
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

function isAccount(choices: readonly unknown[]): boolean {
  return choices.length === SEGMENTS.length && SEGMENTS.every((segment) => choices.includes(segment));
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function arrayOf(element: string): string {
  return element.includes(' | ') ? `(${element})[]` : `${element}[]`;
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: number): string {
  const pad = ' '.repeat(indent + 2);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema, indent + 2)}${pad}${name}${mark}: ${typeOf(schema, indent + 2)};`;
  });
  if (typeof additionalProperties === 'object') {
    lines.push(`${pad}[name: string]: ${typeOf(additionalProperties, indent + 2)};`);
  } else if (additionalProperties === true || lines.length === 0)
    lines.push(`${pad}[name: string]: unknown;`);
  return `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`;
}

function comment({ description }: Schema, indent: number): string {
  return description === undefined ? '' : `${' '.repeat(indent)}/** ${description} */\n`;
}

export const SCHEMA_FILE = new URL('../client/generated/schema.ts', import.meta.url);
const DOCUMENT_FILE = new URL('../docs/openapi.json', import.meta.url);

export function generateFromFile(): string {
  return generateClientTypes(JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as InterfaceDocument);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(SCHEMA_FILE, generateFromFile());
