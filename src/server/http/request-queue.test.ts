import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CROWD_CONNECTIONS, CROWD_REQUESTS, LoadJudge, type LoadLevel } from '../load/load-judge.ts';
import type { Reply, RequestParts } from './reply.ts';
import { createRequestQueue, type Refuse } from './request-queue.ts';

/** A queue with a manual event loop and clock; a request takes 1 ms, a refusal 0.04 ms. */
function createScene() {
  const served: string[] = [];
  const waitsMs: number[] = [];
  const refused: string[] = [];
  const turns: (() => void)[] = [];
  const state = { nowMs: 0, isTurnLong: false, memory: 0 as LoadLevel, noted: 0, connections: 10 };
  const judge = new LoadJudge();
  const refuse: Refuse = ({ url }, _reply, arrivedMs) => {
    state.nowMs += 0.04;
    refused.push(`${url} from ${arrivedMs}`);
  };
  const queue = createRequestQueue({
    serve(req, reply, arrivedMs, load) {
      if (load === 2) return refuse(req, reply, arrivedMs);
      state.nowMs += 1;
      waitsMs.push(state.nowMs - arrivedMs);
      served.push(`${req.url} from ${arrivedMs}`);
    },
    refuse,
    costOf: ({ url }) => (url!.startsWith('/prepared') ? 'prepared' : 'costly'),
    callerOf: ({ url }) => (url!.startsWith('/greedy') ? 'greedy' : 'anybody'),
    guard: {
      isTurnLong: () => state.isTurnLong,
      memoryLevel: () => state.memory,
      noteSlice: (elapsedMs, count) => judge.noteSlice(elapsedMs, count),
      countPlaces: (cost) => judge.countPlaces(cost, state.connections),
      noteRefused: (count) => void (state.noted += count),
    },
    stopwatch: () => state.nowMs,
    later: (action) => void turns.push(action),
  });
  const request = (url: string, isGone = false) =>
    queue.onRequest({ url, socket: { destroyed: isGone } } as unknown as RequestParts, {} as Reply);
  const runAll = () => {
    for (let turn = turns.shift(); turn; turn = turns.shift()) turn();
  };
  return { state, served, waitsMs, refused, turns, request, runAll, connect: queue.onConnection };
}

describe('request queue', () => {
  it('serves immediately while the event loop is on time', () => {
    const { served, turns, request } = createScene();
    request('/a');
    assert.deepEqual(served, ['/a from 0']);
    assert.equal(turns.length, 0);
  });

  it('queues requests that arrive in a long event-loop turn for the next turn, and later requests behind them', () => {
    const { state, served, turns, request } = createScene();
    state.isTurnLong = true;
    request('/a');
    state.isTurnLong = false;
    request('/b');
    assert.deepEqual(served, []);
    turns.shift()!();
    assert.deepEqual(served, ['/a from 0', '/b from 0']);
    request('/c');
    assert.deepEqual(served.at(-1), '/c from 2');
    assert.equal(turns.length, 0);
  });

  it('serves one slice of the queue per event-loop turn', () => {
    const { state, served, refused, turns, request, runAll } = createScene();
    state.isTurnLong = true;
    for (let i = 0; i < CROWD_REQUESTS; i++) request(`/${i}`);
    turns.shift()!();
    assert.equal(served.length, 4);
    runAll();
    assert.equal(served.length, CROWD_REQUESTS);
    assert.match(served.at(-1)!, /^\/255 /);
    assert.equal(refused.length, 0);
  });

  it('accepts new connections before it serves the next slice, up to a limit', () => {
    const { state, served, turns, request, connect } = createScene();
    state.isTurnLong = true;
    request('/a');
    connect();
    turns.shift()!();
    assert.deepEqual(served, []);
    turns.shift()!();
    assert.deepEqual(served, ['/a from 0']);
    request('/b');
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      connect();
      turn();
    }
    assert.equal(served.length, 2);
  });

  it('never queues health checks', () => {
    const { state, served, request } = createScene();
    state.isTurnLong = true;
    request('/api/v1/health');
    assert.deepEqual(served, ['/api/v1/health from 0']);
  });

  it('refuses when memory is low, and skips callers that have disconnected', () => {
    const { state, served, refused, request, runAll } = createScene();
    state.isTurnLong = true;
    state.memory = 2;
    request('/gone', true);
    request('/b');
    runAll();
    assert.deepEqual([served, refused], [[], ['/b from 0']]);
  });
});

describe('request queue in a flood', () => {
  it('makes a greedy caller wait for its own requests, and delays others by only one of them per round', () => {
    const { state, served, refused, request, runAll } = createScene();
    state.isTurnLong = true;
    for (let i = 0; i < 2_000; i++) request(`/greedy-${i}`);
    for (let i = 0; i < 3; i++) request(`/${i}`);
    runAll();
    const places = ['/0', '/1', '/2'].map((url) => served.findIndex((line) => line.startsWith(`${url} `)));
    assert.deepEqual(places, [1, 3, 5]);
    assert.ok(refused.length > 0 && refused.every((line) => line.startsWith('/greedy')));
  });

  it('refuses the newest requests that would be late, costly ones first, and serves all others', () => {
    const { state, served, refused, request, runAll } = createScene();
    state.isTurnLong = true;
    state.connections = CROWD_CONNECTIONS + 1;
    for (let i = 0; i < 300; i++) request(`/${i}`);
    for (let i = 0; i < 300; i++) request(`/prepared-${i}`);
    runAll();
    assert.equal(served.length + refused.length, 600);
    assert.equal(refused.length, state.noted);
    assert.deepEqual(
      served.slice(0, 100).map((line) => line.split(' ')[0]),
      Array.from({ length: 100 }, (_, i) => `/${i}`),
    );
    assert.ok(refused.some((line) => line.startsWith('/2')));
    assert.ok(served.some((line) => line.startsWith('/prepared')));
  });

  it('serves at four fifths of full speed, no matter how many requests it refuses', () => {
    const { state, served, refused, turns, request } = createScene();
    state.isTurnLong = true;
    for (let i = 0; i < 50_000; i++) request(`/${i}`);
    for (let i = 0; i < 50; i++) turns.shift()!();
    assert.ok(refused.length > 0);
    assert.ok(served.length >= 0.79 * state.nowMs, `${served.length} in ${state.nowMs} ms`);
  });

  it('responds in time and serves 90% of capacity at three times the load', () => {
    const { state, served, waitsMs, refused, turns, request } = createScene();
    state.isTurnLong = true;
    state.connections = CROWD_CONNECTIONS + 1;
    let asked = 0;
    while (state.nowMs < 5_000) {
      for (; asked <= 3 * state.nowMs; asked++) request(`/${asked}`);
      turns.shift()!();
    }
    const answered = served.length + refused.length;
    assert.ok(served.length >= 0.9 * state.nowMs, `${served.length} served in ${state.nowMs} ms`);
    assert.ok(answered >= 0.95 * asked - CROWD_REQUESTS, `${answered} of ${asked} answered`);
    assert.ok(Math.max(...waitsMs) < 250, `${Math.max(...waitsMs)} ms`);
  });

  it('refuses nothing in the burst after a machine stall', () => {
    const { state, served, refused, turns, request, runAll } = createScene();
    state.isTurnLong = true;
    for (let i = 0; i < CROWD_REQUESTS; i++) request(`/${i}`);
    for (let i = 0; i < 5; i++) turns.shift()!();
    state.nowMs += 3_000;
    for (let i = 0; i < 4 * 5; i++) request(`/late-${i}`);
    runAll();
    assert.equal(served.length, CROWD_REQUESTS + 20);
    assert.equal(refused.length, 0);
  });

  it('serves every request from a bounded number of callers that wait for each response', () => {
    for (const connections of [32, CROWD_REQUESTS]) {
      const { state, served, refused, turns, request } = createScene();
      state.isTurnLong = true;
      for (let i = 0; i < connections; i++) request('/first');
      for (let turn = 0; turn < 500; turn++) {
        const before = served.length;
        turns.shift()!();
        for (let i = before; i < served.length; i++) request('/again');
      }
      assert.ok(served.length >= 1_000);
      assert.equal(refused.length, 0);
    }
  });
});
