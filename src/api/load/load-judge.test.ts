import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeHeap } from './load-guard.ts';
import {
  ANY_WAIT_MS,
  BURST_MS,
  COSTLY_WAIT_MS,
  FLOOD_REQUESTS,
  HOLD_MS,
  isRefused,
  LoadJudge,
  WAIT_LIMIT_MS,
} from './load-judge.ts';

const MANY = FLOOD_REQUESTS;

/** A judge of a queue that began with the CPU clock at 0; on an idle machine both clocks go alike. */
function createJudge() {
  const judge = new LoadJudge();
  judge.beginQueue(0);
  return {
    judge,
    at: (cpuMs: number, waitedMs: number, behind = MANY, nowMs = cpuMs) =>
      judge.judge({ nowMs, cpuMs, arrivedCpuMs: cpuMs - waitedMs, behind }),
  };
}

describe('load judge', () => {
  it('refuses nobody who waited for little work, however long the queue stands', () => {
    assert.equal(createJudge().at(60_000, WAIT_LIMIT_MS - 1, 10_000), 0);
  });

  it('serves a burst whole that is over soon', () => {
    assert.equal(createJudge().at(BURST_MS / 2, BURST_MS / 2), 0);
  });

  it('knows a flood by what still waits, before it is late', () => {
    assert.equal(createJudge().at(WAIT_LIMIT_MS, WAIT_LIMIT_MS, 1_000), 1);
    const { judge, at } = createJudge();
    for (let served = 0; served < 500; served++)
      judge.judge({ nowMs: 0, cpuMs: 0, arrivedCpuMs: 0, behind: 500 });
    assert.equal(at(ANY_WAIT_MS, ANY_WAIT_MS, 500), 0, 'when so many were served in that time');
  });

  it('refuses costly requests of a queue that does not empty, and then all', () => {
    assert.equal(createJudge().at(BURST_MS, WAIT_LIMIT_MS), 1);
    assert.equal(createJudge().at(BURST_MS, ANY_WAIT_MS), 2);
  });

  it('takes few callers at once for no flood, however slow their requests are', () => {
    assert.equal(createJudge().at(5_000, 2_000, FLOOD_REQUESTS - 1), 0);
  });

  it('does not refuse callers because other programs keep the machine busy', () => {
    assert.equal(createJudge().at(WAIT_LIMIT_MS - 1, WAIT_LIMIT_MS - 1, 1_000, 60_000), 0);
  });

  it('goes on refusing what waits too long, until a second after the last refusal', () => {
    const { judge, at } = createJudge();
    at(BURST_MS, WAIT_LIMIT_MS);
    judge.beginQueue(BURST_MS);
    assert.equal(at(BURST_MS + HOLD_MS - 1, COSTLY_WAIT_MS, 0), 1);
    judge.beginQueue(4_000);
    assert.equal(at(4_000 + WAIT_LIMIT_MS, WAIT_LIMIT_MS, 0), 0);
  });
});

describe('load levels', () => {
  it('refuse what is costly first, what is prepared next, what is vital never', () => {
    assert.deepEqual(
      ([0, 1, 2] as const).map((level) =>
        (['costly', 'prepared', 'vital'] as const).filter((cost) => isRefused(cost, level)),
      ),
      [[], ['costly'], ['costly', 'prepared']],
    );
  });
});

describe('heap', () => {
  it('refuses before memory runs out', () => {
    assert.deepEqual([0.5, 0.93, 0.97].map(judgeHeap), [0, 1, 2]);
  });
});
