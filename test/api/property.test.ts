// Valid and hostile requests generated from the OpenAPI document: no 5xx, every status declared, every body
// valid.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describeInterface } from '../../src/server/describe-interface.ts';
import { type CallOptions, type Harness, type Reply, startHarness } from './harness.ts';

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  schema: Json;
}

interface Operation {
  path: string;
  method: string;
  parameters: Parameter[];
  hasBody: boolean;
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const REQUESTS = 4_000;
const AT_ONCE = 40;

const document = JSON.parse(JSON.stringify(describeInterface('1.0.0')));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');

const operations = listOperations().filter(({ path }) => !/stream|webhooks|mcp/.test(path));
const harness: Harness = await startHarness({
  settings: { limits: { freePerHour: 400, proPerHour: 9_000, waitlistPerHour: 50, maxAddresses: 20 } },
});

function listOperations(): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      parameters: (operation.parameters ?? []) as Parameter[],
      hasBody: 'requestBody' in operation,
      responses: operation.responses as Operation['responses'],
    })),
  );
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    'null',
    'NaN',
    '-inf',
    '1e309',
    '0x10',
    '\0',
    '😀'.repeat(300),
    "' or 1=1--",
    '../../etc',
  ),
  fc.double().map(String),
  fc.bigInt().map(String),
);

function parameterValue({ name, schema }: Parameter): fc.Arbitrary<string> {
  const choices = (schema.enum as unknown[] | undefined)?.map(String);
  const valid =
    name === 'wallet'
      ? fc.constant(`0x${'ab'.repeat(20)}`)
      : choices
        ? fc.constantFrom(...choices)
        : schema.type === 'boolean'
          ? fc.constantFrom('true', 'off', 'Y')
          : fc
              .integer({
                min: Number(schema.minimum ?? 0),
                max: Math.min(Number(schema.maximum ?? 1e9), 1e9),
              })
              .map(String);
  return fc.oneof({ arbitrary: valid, weight: 4 }, { arbitrary: text, weight: 1 });
}

function query(operation: Operation): fc.Arbitrary<string> {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pairs = known.map((parameter) =>
    fc.option(fc.tuple(fc.constant(parameter.name), parameterValue(parameter)), { nil: null, freq: 6 }),
  );
  const junk = fc.array(fc.tuple(text, text), { maxLength: 1 });
  const repeats =
    known.length === 0
      ? fc.constant([])
      : fc.array(fc.tuple(fc.constantFrom(...known.map(({ name }) => name)), text), { maxLength: 1 });
  return fc.tuple(fc.tuple(...pairs), junk, repeats).map(([own, odd, again]) => {
    const all = [...own.filter((pair) => pair !== null), ...odd, ...(odd.length > 0 ? again : [])] as [
      string,
      string,
    ][];
    const encoded = all.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    return encoded === '' ? '' : `?${encoded}`;
  });
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

const waitlistBody = fc.oneof(
  fc
    .record(
      {
        type: fc.oneof(fc.constantFrom('agent', 'human'), fc.jsonValue()),
        case: fc.oneof(text, fc.jsonValue()),
        name: fc.oneof(fc.constantFrom('bob', null, 'x!'), text),
        wallet: fc.oneof(fc.constant(`0x${'cd'.repeat(20)}`), text),
        email: fc.oneof(fc.constantFrom('a@b.co', null), text),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc.json(),
  text,
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);

const contentType = fc.constantFrom(
  'application/json',
  'application/json',
  'text/plain',
  '',
  'application/json; charset=x',
  'a/b+json',
);

const keyChoice = fc.constantFrom('none', 'none', 'FREE', 'PRO', 'PRO', 'INTERNAL', 'INTERNAL', 'bad');
const extraHeaders = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  {
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'Accept',
        'If-None-Match',
        'Accept-Encoding',
        'X-Forwarded-For',
        'Range',
        'Cookie',
        'x402',
        'Expect-CT',
      ),
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...'abc,;=*/"0.5 '), maxLength: 20 }),
        fc.constantFrom('*/*', 'text/html', 'identity', 'W/"x", *', '1.2.3.4, ::1'),
      ),
    ),
    weight: 1,
  },
);

const requests = fc.constantFrom(...operations).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    query: query(operation),
    method: fc.oneof(
      { arbitrary: fc.constant(operation.method), weight: 20 },
      { arbitrary: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'POST', 'GET'), weight: 1 },
    ),
    suffix: fc.oneof(
      { arbitrary: fc.constant(''), weight: 30 },
      { arbitrary: fc.constantFrom('/', '//', '/..', '%2e', ';'), weight: 1 },
    ),
    key: keyChoice,
    headers: extraHeaders,
    body: operation.hasBody ? waitlistBody : fc.constant(undefined),
    contentType,
    from: fc.integer({ min: 1, max: 200 }),
  }),
);

type Request = typeof requests extends fc.Arbitrary<infer T> ? T : never;

async function check(request: Request): Promise<void> {
  const { operation, key } = request;
  const headers: Record<string, string> = { ...request.headers };
  if (request.body !== undefined && request.contentType !== '') headers['content-type'] = request.contentType;
  const path = operation.path.slice('/api/v1'.length) + request.suffix + request.query;
  const reply = await callUntilThereIsTime(path, {
    method: request.method,
    headers,
    body: request.method === operation.method ? request.body : undefined,
    key: key === 'none' ? undefined : key === 'bad' ? 'tc_pro_bad' : harness.keys[key as 'PRO'],
    from: `127.0.1.${request.from}`,
  });
  const reported = `${request.method} ${operation.path}${request.suffix}${request.query} (${key}) -> ${reply.status} ${reply.text.slice(0, 200)}`;
  assert.ok(reply.status < 500, reported);
  assertDeclared(request, reply, reported);
}

/** Retries a 503 as instructed, because two hundred callers overload a slow machine. */
async function callUntilThereIsTime(path: string, options: CallOptions): Promise<Reply> {
  const reply = await harness.call(path, options);
  // A HEAD response has no body, so the reason is unknown.
  const isCrowded = options.method === 'HEAD' ? reply.text === '' : reply.text.includes('Too busy');
  if (reply.status !== 503 || !isCrowded) return reply;
  await wait(50);
  return callUntilThereIsTime(path, options);
}

function assertDeclared(
  { operation: chosen, method, suffix }: Request,
  reply: Reply,
  reported: string,
): void {
  // The path may support another method, which has its own error wording.
  const other = operations.find((one) => one.path === chosen.path && one.method === method);
  const operation = other ?? chosen;
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  const isElsewhere = suffix !== '' || method !== operation.method;
  const declared = operation.responses[String(reply.status)];
  const isRefusal = [404, 405, 429].includes(reply.status) || (method === 'OPTIONS' && reply.status === 204);
  assert.ok(isElsewhere ? isRefusal || declared : declared, `undeclared: ${reported}`);
  const schema = declared?.content?.['application/json']?.schema;
  // Encoded bodies are not decoded here, and HEAD responses have none.
  const isJson = /json/.test(String(reply.headers['content-type']));
  if (!schema || !isJson || method === 'HEAD' || reply.headers['content-encoding']) return;
  const { validate, approved } = compile(schema);
  if (approved.has(reply.text)) return;
  assert.ok(validate(reply.json), `${reported} ${JSON.stringify(validate.errors?.[0])}`);
  approved.add(reply.text);
}

const statuses = new Map<number, number>();

interface Compiled {
  validate: ReturnType<typeof ajv.compile>;
  /** Bodies already validated; most responses repeat because the clock is frozen. */
  approved: Set<string>;
}
const compiled = new Map<Json, Compiled>();

function compile(schema: Json): Compiled {
  let known = compiled.get(schema);
  if (!known) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    compiled.set(schema, (known = { validate: ajv.compile(JSON.parse(text)), approved: new Set() }));
  }
  return known;
}

describe('the API', () => {
  after(() => harness.close());

  it(`returns only declared responses to ${REQUESTS} generated valid and hostile requests`, async () => {
    const sample = fc.sample(requests, { numRuns: REQUESTS, seed: 20261115 });
    let next = 0;
    const worker = async () => {
      while (next < sample.length) await check(sample[next++]!);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    assert.equal(next, REQUESTS);
    // The sample is meaningful only if it covers all kinds of responses.
    for (const status of [200, 400, 401, 404, 405, 406, 415, 422, 429]) {
      assert.ok((statuses.get(status) ?? 0) > 4, `only ${statuses.get(status)} responses with ${status}`);
    }
  });

  it('is checked by a validator that rejects a wrong body', () => {
    const schema = operations[0]!.responses['200']!.content!['application/json']!.schema;
    assert.equal(compile(schema).validate({ timestamp: 'x' }), false);
  });
});
