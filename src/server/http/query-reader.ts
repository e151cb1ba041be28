// Parses a query string with its route's schema. Callers repeat queries, so the last valid ones are cached.

import type { IncomingHttpHeaders } from 'node:http';
import type { TObject } from 'typebox';
import { createCoercer, NOT_AN_OBJECT } from '../../contract/coerce.ts';
import type { Fault } from '../../contract/faults.ts';
import { readJsonBody } from '../../contract/json-body.ts';
import { parseQueryString, warnOfNearMisses } from '../../contract/query-string.ts';
import type { Answer } from './answer.ts';
import { errorAnswer, faultAnswer } from './error-responses.ts';

export type QueryReading = {
  /** Value of the Warning header; null if there is none. */
  readonly warning: string | null;
} & ({ readonly value: unknown; readonly faults: null } | { readonly faults: readonly Fault[] });

export type QueryReader = (text: string) => QueryReading;

const MAX_KEPT = 100;
const LONGEST_KEPT = 200;

export function createQueryReader(schema: TObject): QueryReader {
  const coercer = createCoercer(schema);
  const names = Object.keys(schema.properties);
  const known = new Map<string, QueryReading>();

  function read(text: string): QueryReading {
    const given = parseQueryString(text);
    const warning = warnOfNearMisses(given.keys(), names);
    const coerced = coercer.query(given);
    if (!coerced.ok) return { warning, faults: coerced.faults };
    const reading = { warning, value: Object.freeze(coerced.value), faults: null };
    if (text.length <= LONGEST_KEPT) keep(text, reading);
    return reading;
  }

  function keep(text: string, reading: QueryReading): void {
    if (known.size >= MAX_KEPT) known.delete(known.keys().next().value!);
    known.set(text, reading);
  }

  return (text) => known.get(text) ?? read(text);
}

// Parses a request body with its route's schema. Our own endpoints reject unknown fields with a clear reason.
// The contract fixes the errors for its one body, so additional hints go into the Warning header.

type BodyReading = {
  /** Value of the Warning header; null if there is none. */
  readonly warning: string | null;
} & ({ readonly value: unknown; readonly refusal: null } | { readonly refusal: Answer });

export type BodyReader = (bytes: Buffer, headers: IncomingHttpHeaders) => BodyReading;

/** Bodies with more fields than any of our schemas are not checked for typos. */
const MAX_EXAMINED = 50;

export function createBodyReader(schema: TObject): BodyReader {
  const coercer = createCoercer(schema);
  const known = Object.keys(schema.properties);
  const isClosed = (schema as { additionalProperties?: unknown }).additionalProperties === false;

  function refuseType(problem: string): BodyReading {
    return isClosed
      ? refuse([{ ...NOT_AN_OBJECT, msg: `${NOT_AN_OBJECT.msg}: ${problem}` }])
      : refuse([NOT_AN_OBJECT], `299 - "${problem}"`);
  }

  function readValue(value: unknown): BodyReading {
    const coerced = coercer.body(value);
    const warning = isClosed ? null : warnOfNearMisses(namesOf(value), known, 'field');
    return coerced.ok ? { value: coerced.value, refusal: null, warning } : refuse(coerced.faults, warning);
  }

  return (bytes, headers) => {
    const read = readJsonBody(bytes, headers['content-type'], headers['content-encoding']);
    if (read.kind === 'refused') return { refusal: errorAnswer(read.status, read.detail), warning: null };
    if (read.kind === 'faults') return refuse(read.faults);
    return read.kind === 'not json' ? refuseType(read.problem) : readValue(read.value);
  };
}

function namesOf(value: unknown): string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.keys(value).slice(0, MAX_EXAMINED) : [];
}

function refuse(faults: Fault[], warning: string | null = null): BodyReading {
  return { refusal: faultAnswer(faults), warning };
}
