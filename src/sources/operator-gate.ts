// Stops calling a platform that is out of credit or over its monthly cap: it would refuse for hours, and some
// platforms count refusals against the caller. The operator tops up or raises the cap, then restarts the
// service.

import { SourceError } from '../runtime/errors.ts';
import type { HttpTransport } from './http-transport.ts';

/** After such a refusal every later call fails here with the same error. */
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

/** 402 means no credit. A 429 is a reached cap only if its body says so; any other 429 causes back-off. */
function isForOperator(error: unknown): error is SourceError {
  if (!(error instanceof SourceError) || error.isHtml) return false;
  return error.status === 402 || (error.status === 429 && /usage[-_ ]?cap/i.test(error.body));
}

function toRefusal(error: SourceError): SourceError {
  const what = error.status === 402 ? 'out of credit' : 'usage cap reached';
  return new SourceError(`${what}; not polled again until you fix it and restart (${error.message})`, {
    isRetryable: false,
    needsOperator: true,
    status: error.status,
    cause: error,
  });
}
