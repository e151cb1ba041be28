// Setting the clock forward or back by an hour neither grants a second allowance nor delays the next one, on either
// engine.

import assert from 'node:assert/strict';
import { DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import { createSteadySharedLimiter } from '../../src/access/steady-limiter.ts';
import { HOUR_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createSteadyTime } from '../../src/runtime/steady-time.ts';
import type { AllowanceStore } from '../../src/store/ports.ts';
import { describeStore } from '../store/engines.ts';

const START = Date.UTC(2026, 5, 1);

/** Processes on one machine: `pass` lets time pass, `clock.step` sets the clock. */
function createMachine() {
  const clock = createManualClock(START);
  let elapsedMs = 0;
  return {
    clock,
    pass(ms: number) {
      elapsedMs += ms;
      clock.advance(ms);
    },
    startProcess(allowances: AllowanceStore, steadyTs = clock.now()) {
      const time = createSteadyTime(() => elapsedMs, clock.now() - steadyTs);
      const options = {
        settings: DEFAULT_LIMITS,
        allowances,
        replicas: 2,
        clock,
        logger: silentLogger,
      };
      const limiter = createSteadySharedLimiter(options, time);
      return async (requests: number) => {
        let granted = 0;
        const caller = limiter.forAddress('192.0.2.1', 'other', clock.now());
        for (let i = 0; i < requests; i++) if (await caller.take(clock.now())) granted += 1;
        return granted;
      };
    },
  };
}

describeStore('a clock change', (test) => {
  for (const jumpMs of [HOUR_MS + 1, -HOUR_MS]) {
    test(`of ${jumpMs} ms leaves replicas one allowance per elapsed hour`, async (store) => {
      const machine = createMachine();
      const [one, two] = [machine.startProcess(store.allowances), machine.startProcess(store.allowances)];
      assert.equal((await one(60)) + (await two(60)), 100);
      machine.clock.step(jumpMs);
      assert.deepEqual([await one(10), await two(10)], [0, 0]);
      machine.pass(HOUR_MS + 1);
      assert.equal((await one(60)) + (await two(60)), 100);
    });
  }
});
