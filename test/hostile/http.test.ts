// Hostile requests over raw sockets: no crash, no 5xx, and the service keeps running.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BootedService, bootService } from '../support/boot.ts';
import { EDGE_REQUESTS, WHOLE_REQUEST } from './edge-requests.ts';
import { HOSTILE_REQUESTS } from './hostile-requests.ts';
import { NO_LIMITS } from './no-limits.ts';
import { sendRaw } from './raw-http.ts';

/** How long to wait for requests that may get no response. */
const WAIT_MS = 1_500;
/** How long to wait for requests that must get a response, even on a busy machine. */
const ANSWER_MS = 60_000;

describe('the API under hostile requests', () => {
  let service: BootedService;
  let port: number;

  before(async () => {
    service = await bootService({ overrides: { settings: { limits: NO_LIMITS } } });
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
        ...(await sendRaw(port, request, WAIT_MS)),
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
        const { statuses } = await sendRaw(port, { name, pieces: [text] }, ANSWER_MS, 1);
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
        const { statuses } = await sendRaw(port, { name: `split at ${cut}`, pieces }, ANSWER_MS, 1);
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
      const { statuses } = await sendRaw(port, request, ANSWER_MS);
      assert.deepEqual(statuses, [400], request.name);
    }
  });
});
