// Parses a request body based on its content headers and bytes; rejects invalid ones like FastAPI.

import type { Fault } from './faults.ts';
import { JsonFault, parsePythonJson, UnreadableBody } from './python-json.ts';

export type ReadBody =
  | { kind: 'parsed'; value: unknown }
  /** The body is present but its headers do not declare JSON. */
  | { kind: 'not json'; problem: string }
  | { kind: 'faults'; faults: Fault[] }
  | { kind: 'refused'; status: 400 | 415; detail: string };

export function readJsonBody(
  bytes: Buffer,
  contentType: string | undefined,
  contentEncoding: string | undefined,
): ReadBody {
  if (contentEncoding !== undefined && !/^(identity)?$/i.test(contentEncoding.trim())) {
    return { kind: 'refused', status: 415, detail: 'Unsupported content encoding' };
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(charset)) {
    return { kind: 'refused', status: 415, detail: 'Unsupported charset' };
  }
  if (bytes.length === 0) return { kind: 'parsed', value: null };
  if (!isJsonType(contentType)) return { kind: 'not json', problem: describeType(contentType) };
  return parseJson(bytes);
}

function describeType(contentType: string | undefined): string {
  const given = contentType === undefined ? 'the Content-Type is missing' : 'the Content-Type is wrong';
  return `${given}; send application/json`;
}

function isJsonType(contentType: string | undefined): boolean {
  const [type, subtype] = (contentType ?? '').split(';')[0]!.trim().toLowerCase().split('/');
  return type === 'application' && subtype !== undefined && (subtype === 'json' || subtype.endsWith('+json'));
}

function parseJson(bytes: Buffer): ReadBody {
  try {
    return { kind: 'parsed', value: parsePythonJson(bytes) };
  } catch (error) {
    if (error instanceof JsonFault) {
      const fault: Fault = {
        type: 'json_invalid',
        loc: ['body', error.position],
        msg: 'JSON decode error',
        ctx: { error: error.message },
      };
      return { kind: 'faults', faults: [fault] };
    }
    if (error instanceof UnreadableBody) {
      return { kind: 'refused', status: 400, detail: 'There was an error parsing the body' };
    }
    throw error;
  }
}
