// The OpenAPI document as the client generators read it. Merges the paths of all accounts into one operation with
// the account's segment as a parameter.

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

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
  description?: string;
}

interface OperationObject {
  operationId?: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface InterfaceDocument {
  info: { version: string };
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  method: string;
  /** Path below the API prefix, with {account} in place of a segment. */
  path: string;
  words: string;
  inPath: Parameter[];
  inQuery: Parameter[];
  body: Schema | null;
  answer: Schema;
}

const API_PREFIX = '/api/v1';

/** Lists one operation per method and path template; for several accounts, uses the first one's. */
export function listOperations(document: InterfaceDocument): Operation[] {
  const segments = listSegments(document);
  const found = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!hasJsonAnswer(operation)) continue;
      const named = readOperation(path, method, operation, segments);
      const read = { ...named, body: resolve(document, named.body) };
      const name = `${read.method} ${read.path}`;
      if (!found.has(name)) found.set(name, read);
    }
  }
  return [...found.values()];
}

/** Finds the body fields, wherever the document defines them. */
function resolve({ components }: InterfaceDocument, schema: Schema | null): Schema | null {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1];
  return name === undefined ? schema : (components.schemas[name] ?? null);
}

/** The live stream is not a single response, so its client code is written by hand. */
function hasJsonAnswer({ responses }: OperationObject): boolean {
  return responses['200']?.content?.['application/json'] !== undefined;
}

/** Finds segments by the counters operation, which every account has and which is named after its segment. */
export function listSegments(document: InterfaceDocument): string[] {
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId }) => /^getMeta_(.+)$/.exec(operationId ?? '')?.[1] ?? []);
}

/** An enum of segments means any segment, because operators choose their own. */
export function isAccount(choices: readonly unknown[], segments: readonly string[]): boolean {
  return choices.length === segments.length && segments.every((segment) => choices.includes(segment));
}

function readOperation(
  path: string,
  method: string,
  operation: OperationObject,
  segments: readonly string[],
): Operation {
  const parts = path.slice(API_PREFIX.length).split('/');
  const template = parts.map((part) => (segments.includes(part) ? '{account}' : part)).join('/');
  const account: Parameter = { name: 'account', in: 'path', required: true, schema: { type: 'string' } };
  const parameters = operation.parameters ?? [];
  return {
    method: method.toUpperCase(),
    path: template,
    words: describe(operation, segments),
    inPath: [
      ...(template.includes('{account}') ? [account] : []),
      ...parameters.filter((parameter) => parameter.in === 'path'),
    ],
    inQuery: parameters.filter((parameter) => parameter.in === 'query'),
    body: operation.requestBody?.content['application/json']?.schema ?? null,
    answer: operation.responses['200']?.content?.['application/json']?.schema ?? {},
  };
}

function describe({ summary, description }: OperationObject, segments: readonly string[]): string {
  const words = segments.reduce((text, segment) => text.replaceAll(segment, 'an account'), summary);
  return description ? `${words}. ${description}` : words;
}
