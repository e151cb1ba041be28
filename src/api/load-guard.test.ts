import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeLoad } from './load-guard.ts';

const CALM = { utilization: 0.2, delayMs: 1, requestsPerSecond: 50, heapShare: 0.3 };
const FLOOD = { utilization: 0.99, delayMs: 100, requestsPerSecond: 20_000, heapShare: 0.3 };

describe('load guard', () => {
  it('refuses nothing while the process keeps up', () => {
    assert.equal(judgeLoad(CALM), 0);
    assert.equal(judgeLoad({ ...FLOOD, delayMs: 5 }), 0);
  });

  it('does not refuse callers because other programs keep the machine busy', () => {
    assert.equal(judgeLoad({ ...CALM, delayMs: 900 }), 0);
    assert.equal(judgeLoad({ ...FLOOD, requestsPerSecond: 40, delayMs: 900 }), 0);
  });

  it('refuses costly calls in a flood, and nearly all when that is not enough', () => {
    assert.equal(judgeLoad(FLOOD), 1);
    assert.equal(judgeLoad({ ...FLOOD, delayMs: 400 }), 2);
  });

  it('refuses before memory runs out', () => {
    assert.equal(judgeLoad({ ...CALM, heapShare: 0.93 }), 1);
    assert.equal(judgeLoad({ ...CALM, heapShare: 0.97 }), 2);
  });
});
