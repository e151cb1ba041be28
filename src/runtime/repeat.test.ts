import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';
import { createRepeat, type RepeatOptions } from './repeat.ts';

/** Creates a repeat with runs that end only when the test ends them. */
function bench(options: Partial<RepeatOptions> = {}) {
  const clock = createManualClock(0);
  const begunTs: number[] = [];
  const runs: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  const repeat = createRepeat({
    clock,
    pauseMs: 100,
    run() {
      begunTs.push(clock.now());
      runs.push(Promise.withResolvers<void>());
      return runs.at(-1)!.promise;
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { clock, begunTs, runs, errors, repeat };
}

/** The same, but each run ends immediately. */
function quickBench(options: Partial<RepeatOptions> = {}) {
  const scene: ReturnType<typeof bench> = bench({
    run: () => void scene.begunTs.push(scene.clock.now()),
    ...options,
  });
  return scene;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('repeat', () => {
  it('runs immediately, then after each pause', async () => {
    const { clock, begunTs, repeat } = quickBench();
    await repeat.start();
    clock.advance(250);
    assert.deepEqual(begunTs, [0, 100, 200]);
  });

  it('waits before the first run if configured', async () => {
    const { clock, begunTs, repeat } = quickBench({ firstPauseMs: 30 });
    await repeat.start();
    clock.advance(130);
    assert.deepEqual(begunTs, [30, 130]);
  });

  it('evaluates the pause after each run', async () => {
    const pauses = [10, 50];
    const { clock, begunTs, repeat } = quickBench({ pauseMs: () => pauses.shift() ?? 1_000 });
    await repeat.start();
    clock.advance(500);
    assert.deepEqual(begunTs, [0, 10, 60]);
  });

  it('starts only once, however often start is called', async () => {
    const { clock, begunTs, repeat } = quickBench();
    await repeat.start();
    await repeat.start();
    clock.advance(100);
    assert.deepEqual(begunTs, [0, 100]);
  });

  it('never overlaps itself: the pause begins when a run ends', async () => {
    const { clock, begunTs, runs, repeat } = bench();
    void repeat.start();
    await clock.advanceAsync(1_000);
    assert.deepEqual(begunTs, [0]);
    runs[0]!.resolve();
    await clock.advanceAsync(100);
    assert.deepEqual(begunTs, [0, 1_100]);
  });

  it('reports a failed run and runs again', async () => {
    const { clock, begunTs, runs, errors, repeat } = bench();
    void repeat.start();
    runs[0]!.reject(new Error('unavailable'));
    await clock.advanceAsync(100);
    assert.deepEqual(begunTs, [0, 100]);
    assert.equal(String(errors), 'Error: unavailable');
  });

  it('reports a synchronous throw and runs again', async () => {
    const errors: unknown[] = [];
    let calls = 0;
    const run = () => {
      calls += 1;
      throw new Error('broken');
    };
    const { clock, repeat } = quickBench({ run, onError: (error) => errors.push(error) });
    await repeat.start();
    clock.advance(100);
    assert.equal(calls, 2);
    assert.equal(errors.length, 2);
  });

  it('runs immediately when woken during a pause, and once more when woken during a run', async () => {
    const { clock, begunTs, runs, repeat } = bench();
    void repeat.start();
    runs[0]!.resolve();
    await clock.advanceAsync(40);
    repeat.wake();
    assert.deepEqual(begunTs, [0, 40]);
    repeat.wake();
    repeat.wake();
    runs[1]!.resolve();
    await clock.advanceAsync(20);
    assert.deepEqual(begunTs, [0, 40, 40]);
    runs[2]!.resolve();
    await clock.advanceAsync(100);
    assert.deepEqual(begunTs, [0, 40, 40, 160]);
  });

  it('keeps the minimum gap, however often it is woken', async () => {
    const { clock, begunTs, repeat } = quickBench({ leastGapMs: 30 });
    await repeat.start();
    for (let ms = 0; ms < 70; ms++) {
      repeat.wake();
      clock.advance(1);
    }
    assert.deepEqual(begunTs, [0, 30, 60]);
  });

  it('keeps running when the clock moves back', async () => {
    const { clock, begunTs, repeat } = quickBench({ leastGapMs: 30 });
    await repeat.start();
    clock.step(-1_000_000);
    repeat.wake();
    clock.advance(30);
    assert.equal(begunTs.length, 2);
  });

  it('does nothing when woken before the start or after the stop', async () => {
    const { clock, begunTs, repeat } = quickBench();
    repeat.wake();
    assert.deepEqual(begunTs, []);
    await repeat.start();
    await repeat.stop();
    repeat.wake();
    clock.advance(1_000);
    assert.deepEqual(begunTs, [0]);
  });

  it('waits for the current run when stopped, and does not re-arm afterwards', async () => {
    const { clock, begunTs, runs, repeat } = bench();
    void repeat.start();
    let isOver = false;
    const stopped = repeat.stop().then(() => (isOver = true));
    await settle();
    assert.equal(isOver, false);
    runs[0]!.resolve();
    await stopped;
    await clock.advanceAsync(10_000);
    assert.deepEqual(begunTs, [0]);
  });

  it('does not re-arm if the current run stops it', async () => {
    const { clock, begunTs, repeat } = quickBench({
      run() {
        begunTs.push(clock.now());
        void repeat.stop();
      },
    });
    await repeat.start();
    clock.advance(1_000);
    assert.deepEqual(begunTs, [0]);
  });

  it('aborts the signal of the current run when stopped', async () => {
    const { repeat } = quickBench({
      run: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    void repeat.start();
    await repeat.stop();
  });

  it('cannot be started after it was stopped', async () => {
    const { clock, begunTs, repeat } = quickBench();
    await repeat.stop();
    await repeat.start();
    clock.advance(1_000);
    assert.deepEqual(begunTs, []);
  });
});
