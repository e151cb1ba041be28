// No request is rejected when many connections send requests in a closed loop, even on a busy machine.

import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { after, describe, it } from 'node:test';
import { startHarness } from './harness.ts';

const REQUESTS = 1_024;

const harness = await startHarness({ settings: { connections: { total: 1_000, perAddress: 1_000 } } });
after(() => harness.close());

/** Counts responses by status. */
async function requestInLoop(connections: number, path: string): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses: Record<string, number> = {};
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const options = { agent, port: harness.port, path, headers: { 'X-API-Key': harness.keys.INTERNAL } };
      get(options, (res) => {
        statuses[res.statusCode!] = (statuses[res.statusCode!] ?? 0) + 1;
        res.resume().on('end', resolve).on('error', reject);
      }).on('error', reject);
    });
  const loop = async () => {
    for (let i = 0; i < REQUESTS / connections; i++) await ask();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  agent.destroy();
  return statuses;
}

describe('the API', () => {
  for (const path of ['/meta/account_a/tweets', '/meta/account_a/tweets?limit=100', '/signals/account_a']) {
    for (const connections of [32, 256]) {
      it(`serves every request from ${connections} connections looping on ${path}`, async () => {
        assert.deepEqual(await requestInLoop(connections, `/api/v1${path}`), { 200: REQUESTS });
      });
    }
  }
});
