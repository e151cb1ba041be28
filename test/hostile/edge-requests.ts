// HTTP/1.1 edge cases with the required responses, as in a conformance suite.

const LINE = 'GET /api/v1/health HTTP/1.1\r\n';
const HOST = 'Host: service.test\r\n';
const REFUSED = [400];
const SERVED = [200];

export interface EdgeRequest {
  name: string;
  text: string;
  /** Allowed statuses of the first response. */
  expected: readonly number[];
}

const edge = (name: string, text: string, expected: readonly number[]): EdgeRequest => ({
  name,
  text,
  expected,
});

/** A request that may be split at any point; the service waits for the rest. */
export const WHOLE_REQUEST = `${LINE}${HOST}\r\n`;

export const EDGE_REQUESTS: readonly EdgeRequest[] = [
  edge('usual', WHOLE_REQUEST, SERVED),
  edge('odd case, tab and empty value', `${LINE}hOST:\tservice.test\r\nX-None:\r\n\r\n`, SERVED),
  edge('blank value', `${LINE}${HOST}X-None: \r\n\r\n`, SERVED),
  edge('expectation', `${LINE}${HOST}Expect: 100-continue\r\n\r\n`, [100, 200]),
  edge('body to the page', `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nbody`, [405]),
  edge('no version', 'GET /api/v1/health \r\n\r\n', REFUSED),
  edge('unknown version', `GET /api/v1/health HTTP/7.3\r\n${HOST}\r\n`, [400, 505]),
  edge('words before the method', `some words${WHOLE_REQUEST}`, REFUSED),
  edge('no host', `${LINE}Accept: */*\r\n\r\n`, REFUSED),
  edge('two hosts', `${LINE}${HOST}Host: other.test\r\n\r\n`, REFUSED),
  edge('separator in a name', `${LINE}${HOST}X(1): one\r\n\r\n`, REFUSED),
  edge('bracket in a name', `${LINE}${HOST}X[1]: one\r\n\r\n`, REFUSED),
  edge('control character in a value', `${LINE}${HOST}X-Bell: ring\x07\r\n\r\n`, REFUSED),
  edge('NUL in a value', `${LINE}${HOST}X-Nul: a\0b\r\n\r\n`, REFUSED),
  edge('bare carriage return', `${LINE}${HOST}\rX-One: 1\r\n\r\n`, REFUSED),
  edge('negative length', `${LINE}${HOST}Content-Length: -7\r\n\r\n`, REFUSED),
  edge('negative length beyond 64 bits', `${LINE}${HOST}Content-Length: -${'9'.repeat(30)}\r\n\r\n`, REFUSED),
  edge('length in words', `${LINE}${HOST}Content-Length: seven\r\n\r\n`, REFUSED),
  edge('length and chunks', `${LINE}${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`, REFUSED),
];
