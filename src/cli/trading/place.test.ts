import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Tallycast } from '../../../packages/client-js/src/index.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { readPlace } from './place.ts';

const NOW_TS = 1_800_000_000_000;

function read(config: object, values: { exchange?: string } = {}, serviceTs = NOW_TS) {
  const client = { config: async () => config, opportunities: async () => ({ timestamp: serviceTs }) };
  return readPlace(client as unknown as Tallycast, values, true, createManualClock(NOW_TS));
}

describe('exchange for live orders', () => {
  it('is the real exchange for a live service, even if the service reports another', async () => {
    for (const config of [{}, { simulator_url: 'https://evil.example' }]) {
      const { url, geoblockUrl } = await read(config);
      assert.deepEqual(
        [url, geoblockUrl],
        ['https://clob.polymarket.com', 'https://polymarket.com/api/geoblock'],
      );
    }
  });

  it('is the simulator for simulated advice, never the real exchange', async () => {
    const config = { world: 'pretend', simulator_url: 'http://127.0.0.1:9' };
    assert.equal((await read(config)).url, 'http://127.0.0.1:9/clob');
    await assert.rejects(
      read(config, { exchange: 'https://clob.polymarket.com' }),
      /cannot be traded on a real/,
    );
    await assert.rejects(read({ world: 'pretend' }), /cannot be traded on a real/);
  });

  it('is a simulator on another machine only if the operator passes --exchange', async () => {
    const config = { world: 'pretend', simulator_url: 'http://sim.example:9' };
    await assert.rejects(read(config), /Pass --exchange http:\/\/sim\.example:9/);
    assert.equal((await read(config, { exchange: 'http://sim.example:9' })).url, 'http://sim.example:9/clob');
    await assert.rejects(
      read({ ...config, simulator_url: 'http://127.0.0.1.example' }),
      /on another machine/,
    );
  });

  it('is rejected while the clocks of the service and the trader differ', async () => {
    await assert.rejects(read({}, {}, NOW_TS + 5_000), /clock differs by 5 s/);
  });
});
