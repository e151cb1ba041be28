// A platform that wants money, or whose cap is used up, is not asked again by itself: it would refuse for hours, and
// some count refusals against the caller. The operator tops up or raises the cap, and starts the service again.

import { SourceError } from '../runtime/errors.ts';
import type { HttpTransport } from './http-transport.ts';

/** Once a call is refused so, every later one is answered here with the same refusal. */
export function stopForOperator(http: HttpTransport): HttpTransport {
  let refusal: SourceError | null = null;

  async function pass<T>(call: () => Promise<T>): Promise<T> {
    if (refusal) throw refusal;
    try {
      return await call();
    } catch (error) {
      if (!isForOperator(error)) throw error;
      refusal ??= toRefusal(error);
      throw refusal;
    }
  }

  return {
    name: http.name,
    baseUrl: http.baseUrl,
    getJson: (path, query, signal) => pass(() => http.getJson(path, query, signal)),
    getAged: (path, query, signal) => pass(() => http.getAged(path, query, signal)),
    postJson: (path, body, signal) => pass(() => http.postJson(path, body, signal)),
    getText: (path, query, signal) => pass(() => http.getText(path, query, signal)),
    readPieces: (path, query, onPiece, signal) => pass(() => http.readPieces(path, query, onPiece, signal)),
    readStream: (path, query, handlers, signal) => pass(() => http.readStream(path, query, handlers, signal)),
  };
}

/** 402 is no credit. A 429 that names no end is a cap that is used up; one that does is only haste. */
function isForOperator(error: unknown): error is SourceError {
  if (!(error instanceof SourceError)) return false;
  if (error.status === 402) return true;
  return error.status === 429 && error.retryAfterMs === null && !error.isHtml;
}

function toRefusal(error: SourceError): SourceError {
  const what = error.status === 402 ? 'out of credit' : 'the usage cap is reached';
  return new SourceError(`${what}; not asked again until the operator acts (${error.message})`, {
    isRetryable: false,
    needsOperator: true,
    status: error.status,
    cause: error,
  });
}
