import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { LoadLevel } from '../load/load-judge.ts';
import { createRequestQueue } from './request-queue.ts';

/** A queue whose turns are run by hand; each request takes a millisecond. */
function createScene() {
  const served: string[] = [];
  const turns: (() => void)[] = [];
  const state = { nowMs: 0, isTurnLong: false, level: 0 as LoadLevel };
  const queue = createRequestQueue({
    serve(req, _res, arrivedMs, load) {
      state.nowMs += 1;
      served.push(`${req.url} from ${arrivedMs}${load > 0 ? ` at load ${load}` : ''}`);
    },
    guard: {
      isTurnLong: () => state.isTurnLong,
      beginQueue: () => {},
      readCpuMs: () => state.nowMs,
      judge: () => 0,
      judgeWaited: () => state.level,
    },
    stopwatch: () => state.nowMs,
    later: (action) => void turns.push(action),
  });
  const request = (url: string, isGone = false) =>
    queue.onRequest(
      { url, socket: { destroyed: isGone } } as unknown as IncomingMessage,
      {} as ServerResponse,
    );
  return { state, served, turns, request, connect: queue.onConnection };
}

describe('request queue', () => {
  it('serves at once while the loop is on time', () => {
    const { served, turns, request } = createScene();
    request('/a');
    assert.deepEqual(served, ['/a from 0']);
    assert.equal(turns.length, 0);
  });

  it('lets requests of a long turn wait for the next, and later ones behind them', () => {
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

  it('serves a slice of the queue in a turn', () => {
    const { state, served, turns, request } = createScene();
    state.isTurnLong = true;
    for (let i = 0; i < 3_000; i++) request(`/${i}`);
    turns.shift()!();
    assert.equal(served.length, 4);
    for (let turn = turns.shift(); turn; turn = turns.shift()) turn();
    assert.equal(served.length, 3_000);
    assert.match(served.at(-1)!, /^\/2999 /);
  });

  it('gives turns to new connections before it serves on, but not for ever', () => {
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

  it('never lets health wait', () => {
    const { state, served, request } = createScene();
    state.isTurnLong = true;
    request('/api/v1/health');
    assert.deepEqual(served, ['/api/v1/health from 0']);
  });

  it('tells how much to refuse, and does nothing for callers who have gone away', () => {
    const { state, served, turns, request } = createScene();
    state.isTurnLong = true;
    state.level = 2;
    request('/gone', true);
    request('/b');
    turns.shift()!();
    assert.deepEqual(served, ['/b from 0 at load 2']);
  });
});
