// The OpenAPI document, generated from the routes.

import type { TSchema } from 'typebox';
import { ChallengeBody, ErrorBody, ValidationBody } from '../contract/envelope.ts';
import type { Route } from './http/route.ts';

type Json = Record<string, unknown>;

const REASONS: Record<number, string> = {
  200: 'Success',
  304: 'Not modified since the given ETag',
  400: 'The request is malformed, or the wallet is not a valid address',
  401: 'Missing, invalid, revoked or insufficient key',
  402: 'Payment required; only if the operator accepts payments',
  404: 'No such path',
  405: 'Method not allowed; the Allow header lists the allowed methods',
  406: 'No available format matches the Accept header',
  409: 'The change conflicts with the current state',
  413: 'The body is too large',
  415: 'Unsupported charset or content encoding',
  422: 'Validation failed',
  429: 'Rate limit exceeded; Retry-After says when the next request is allowed',
  503: 'Temporarily unavailable; Retry-After says when to try again',
};

export function buildOpenApi(routes: readonly Route[], build: { version: string }): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.document.isPage) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tallycast',
      version: '1.0.0',
      summary: 'Counts, forecasts and sized signals for prediction markets on post counts.',
      description: `Build version: ${build.version}. All timestamps are UTC milliseconds unless stated otherwise.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: listTags(routes),
    paths,
    components: { schemas, headers: describeHeaders(), securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'API key of tier FREE, PRO or INTERNAL',
  },
  x402: {
    type: 'apiKey',
    in: 'header',
    name: 'x402',
    description: 'One payment for one PRO call, if the operator accepts payments',
  },
};

function listTags(routes: readonly Route[]): Json[] {
  const names = new Set(
    routes.filter(({ document }) => !document.isPage).map(({ document }) => document.tag),
  );
  return [...names].map((name) => ({ name, description: TAG_WORDS[name] ?? name }));
}

const TAG_WORDS: Record<string, string> = {
  Meta: 'Counters, posts and market metadata',
  Prediction: 'Forecasts of final counts',
  Signals: 'Sized trading signals',
  Portfolio: 'Open positions compared with the model',
  Service: 'Health and waitlist',
  Performance: 'Forecast and signal track record',
  History: 'Past forecasts and prices',
  Usage: "Your key's usage",
  Keys: 'Key management for the operator of this instance',
  Agents: 'Tools for agents',
  Alerts: 'Alert rules, channels and alerts',
  Stream: 'Live updates',
  Webhooks: 'Former endpoints; use channels and rules',
};

function operation(route: Route, schemas: Json): Json {
  const { document } = route;
  return {
    operationId: document.operationId,
    tags: [document.tag],
    summary: document.summary,
    ...(document.description !== undefined && { description: document.description }),
    security: security(route),
    ...(parameters(route).length > 0 && { parameters: parameters(route) }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: publish(route.body, schemas) } },
      },
    }),
    responses: responses(route, schemas),
  };
}

function security(route: Route): Json[] {
  const key = { apiKey: [] };
  const paid = route.isPayable ? [{ x402: [] }] : [];
  if (route.access === 'public') return [{}, key];
  return route.access === 'optional' ? [{}, key, ...paid] : [key, ...paid];
}

function parameters(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  if (!route.query) return inPath;
  const required = new Set((route.query as { required?: string[] }).required ?? []);
  const inQuery = Object.entries(route.query.properties as Record<string, Json>).map(([name, schema]) => {
    const { description, ...rest } = plain(schema) as Json;
    return {
      name,
      in: 'query',
      required: required.has(name),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
  return [...inPath, ...inQuery];
}

function responses(route: Route, schemas: Json): Json {
  const { document } = route;
  const type = document.contentType ?? 'application/json';
  const csv = document.csv && { 'text/csv': { schema: { type: 'string', description: document.csv } } };
  const good = { [type]: { schema: publish(document.ok, schemas) }, ...csv };
  const content: Json = { 200: answer(200, good, route) };
  for (const status of statusesOf(route)) {
    if (status === 304) content[status] = { description: REASONS[304] };
    else if (status === 503 && document.operationId === 'getHealth') {
      content[status] = answer(503, { [type]: { schema: publish(document.ok, schemas) } }, route);
    } else {
      const schema = status === 422 ? ValidationBody : status === 402 ? ChallengeBody : ErrorBody;
      content[status] = answer(status, { 'application/json': { schema: publish(schema, schemas) } }, route);
    }
  }
  return content;
}

/** Every status other than 200 that a route may return. */
function statusesOf(route: Route): number[] {
  const statuses = new Set<number>([304, 404, 405, 406, 503, ...(route.document.also ?? [])]);
  if (route.method !== 'GET') statuses.delete(304);
  if (route.access !== 'public') statuses.add(401);
  if (route.isPayable) statuses.add(402).add(400);
  if (route.query || route.body) statuses.add(422);
  if (route.allowance !== 'none') statuses.add(429);
  return [...statuses].sort((left, right) => left - right);
}

/** Shared under components, because repeating them for every status would double the size of the document. */
const RATE_HEADERS =
  'RateLimit-Policy RateLimit X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset'.split(' ');

function describeHeaders(): Json {
  const described = RATE_HEADERS.map((name) => [
    name,
    { schema: { type: 'string' }, description: "The caller's allowance" },
  ]);
  return Object.fromEntries(described);
}

function answer(status: number, content: Json, route: Route): Json {
  const shared = route.allowance === 'none' ? [] : RATE_HEADERS;
  const headers: Json = Object.fromEntries(
    shared.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const add = (name: string) => {
    headers[name] = { schema: { type: 'string' } };
  };
  if (status === 401) add('WWW-Authenticate');
  if (status === 402) add('PAYMENT-REQUIRED');
  if (status === 405) add('Allow');
  if (status === 429 || (status === 503 && route.allowance !== 'none')) add('Retry-After');
  return {
    description: REASONS[status],
    ...(Object.keys(headers).length > 0 && { headers }),
    content,
  };
}

/** Named schemas go under components; others are inlined. */
function publish(schema: TSchema, schemas: Json): Json {
  return replaceNamed(plain(schema), schemas) as Json;
}

function replaceNamed(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceNamed(item, schemas));
  if (value === null || typeof value !== 'object') return value;
  const { title, ...rest } = value as Json;
  const replaced = Object.fromEntries(
    Object.entries(rest).map(([name, item]) => [name, replaceNamed(item, schemas)]),
  );
  if (typeof title !== 'string' || !('type' in rest || 'enum' in rest))
    return title === undefined ? replaced : { title, ...replaced };
  schemas[title] = replaced;
  return { $ref: `#/components/schemas/${title}` };
}

/** Strips the schema builder's markers. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
