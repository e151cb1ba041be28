// Hostile requests over raw sockets: no crash, no 5xx, and the service keeps running.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import { type BootedService, bootService } from '../support/boot.ts';
import { HOSTILE_REQUESTS } from './hostile-requests.ts';
import { sendRaw } from './raw-http.ts';

// Allowances large enough for hostile requests to get past the limiter.

const NO_LIMITS = { ...DEFAULT_LIMITS, freePerHour: 10_000_000, waitlistPerHour: 10_000_000 };

// HTTP/1.1 edge cases with the required responses, as in a conformance suite.

const LINE = 'GET /api/v1/health HTTP/1.1\r\n';
const HOST = 'Host: service.test\r\n';
const REFUSED = [400];
const SERVED = [200];

interface EdgeRequest {
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
const WHOLE_REQUEST = `${LINE}${HOST}\r\n`;

const EDGE_REQUESTS: readonly EdgeRequest[] = [
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

/** How long to wait for requests that may get no response. */
const WAIT_MS = 1_500;
/** How long to wait for requests that must get a response, even on a busy machine. */
const ANSWER_MS = 60_000;

for (const usesPlainReader of [true, false])
  describe(`the API under hostile requests, ${usesPlainReader ? 'plain' : 'Node'} reader`, () => {
    let service: BootedService;
    let port: number;

    before(async () => {
      service = await bootService({ overrides: { settings: { limits: NO_LIMITS, usesPlainReader } } });
      port = Number(new URL(service.url).port);
    });
    after(() => service?.stop());

    async function assertAlive(): Promise<void> {
      const response = await fetch(`${service.url}/api/v1/health`);
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }

    it('returns no 5xx for any known attack', async () => {
      const answers = await Promise.all(
        HOSTILE_REQUESTS.map(async (request) => ({
          name: request.name,
          statuses: await sendRaw(port, request, WAIT_MS),
        })),
      );
      const bad = answers.filter(({ statuses }) => statuses.some((status) => status >= 500));
      assert.deepEqual(
        bad.map(({ name, statuses }) => [name, statuses]),
        [],
      );
      await assertAlive();
    });

    it('handles HTTP/1.1 edge cases as required', async () => {
      const wrong = await Promise.all(
        EDGE_REQUESTS.map(async ({ name, text, expected }) => {
          const statuses = await sendRaw(port, { pieces: [text] }, ANSWER_MS, 1);
          return expected.includes(statuses[0]!) ? [] : [[name, statuses]];
        }),
      );
      assert.deepEqual(wrong.flat(), []);
    });

    it('waits for the rest of a request split at any byte', async () => {
      const cuts = Array.from({ length: WHOLE_REQUEST.length - 1 }, (_, i) => i + 1);
      const wrong = await Promise.all(
        cuts.map(async (cut) => {
          const pieces = [WHOLE_REQUEST.slice(0, cut), WHOLE_REQUEST.slice(cut)];
          const statuses = await sendRaw(port, { pieces }, ANSWER_MS, 1);
          return statuses[0] === 200 ? [] : [[cut, statuses]];
        }),
      );
      assert.deepEqual(wrong.flat(), []);
    });

    it("does not parse a request out of another request's body", async () => {
      const smuggled = HOSTILE_REQUESTS.filter(({ name }) =>
        ['length and chunks together', 'two lengths'].includes(name),
      );
      for (const request of smuggled) {
        const statuses = await sendRaw(port, request, ANSWER_MS);
        assert.deepEqual(statuses, [400], request.name);
      }
    });
  });
