// Payers alone, through many failures of the store: far more payments meet a failure than in a whole storm.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFaultyStore, type StoreTrouble } from '../../lab/storm/faulty-store.ts';
import { createGate } from '../../lab/storm/gate.ts';
import { createPayers } from '../../lab/storm/payers.ts';
import { createQuiet } from '../../lab/storm/quiet.ts';
import { seedCrypto } from '../../lab/storm/storm-log.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { openTempStore } from '../support/temp-store.ts';

const UNWATCHED = { newestEpoch: () => 0, onEpoch() {}, onFencedWrite() {}, onCaptured() {}, onSettled() {} };
const TROUBLED_MS = 30 * SECOND_MS;
const SEEDS = 8;
const CALM_MS = 5 * MINUTE_MS;

/** Payers come while the store fails, and are judged after a calm period. */
async function payThroughTroubles(seed: number): Promise<{ problems: string[]; log: string }> {
  const random = createRandom(seed);
  const endSeeding = seedCrypto(random.fork('crypto'));
  const clock = createManualClock(Date.UTC(2026, 5, 2));
  const quiet = createQuiet();
  const temp = await openTempStore(clock);
  let trouble: StoreTrouble = { kind: 'none' };
  let log = '';
  const store = createFaultyStore({
    ...{ store: temp.store, clock, serverClock: clock, quiet, gate: createGate(), watcher: UNWATCHED },
    ...{ random: random.fork('store'), trouble: () => trouble, isRetired: () => true },
    log: (line) => (log += `${clock.now()} ${line}\n`),
  });
  const troubleTs = () => (trouble.kind === 'none' ? 0 : clock.now());
  const payers = createPayers({ payments: store.payments, clock, random: random.fork('payers'), troubleTs });
  const live = async (forMs: number, share: number) => {
    for (let passedMs = 0; passedMs < forMs; passedMs += SECOND_MS) {
      clock.advance(SECOND_MS);
      await quiet.settle();
      if (random.uniform() < share) payers.payAndLeave();
    }
  };
  for (const kind of ['hanging', 'forgetful', 'slow'] as const) {
    await live(10 * SECOND_MS, 0.7);
    const untilTs = clock.now() + TROUBLED_MS;
    if (kind === 'hanging') trouble = { kind, untilTs, lateShare: 0.7 };
    else trouble = kind === 'slow' ? { kind, byMs: 4 * SECOND_MS } : { kind, share: 0.5 };
    await live(TROUBLED_MS, 0.3);
    trouble = { kind: 'none' };
    // The machine sleeps, and everything that is due wakes at once.
    if (random.uniform() < 0.5) clock.step(HOUR_MS);
  }
  await live(CALM_MS, 0);
  const problems = payers.judge();
  const stopped = payers.stop();
  clock.advance(MINUTE_MS);
  await stopped;
  await temp.close();
  endSeeding();
  return { problems, log };
}

describe('payers of a failing store', () => {
  it('are charged and served once or never', async () => {
    for (let seed = 0; seed < SEEDS; seed++)
      assert.deepEqual((await payThroughTroubles(seed)).problems, [], `seed ${seed}`);
  });

  it('take the same course every time', async () => {
    assert.equal((await payThroughTroubles(1)).log, (await payThroughTroubles(1)).log);
  });
});
