import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openAllowanceJournal } from '../access/allowance-journal.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import type { AllowanceOrder } from '../store/queries/allowances.ts';
import { askForAllowances, createAllowanceService } from './allowance-service.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const START = Date.UTC(2026, 5, 1);
const HOUR_MS = 3_600_000;

describe('allowances shared by workers on one machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-desk-'));
  const clock = createManualClock(START);
  after(() => rmSync(folder, { recursive: true }));

  async function openService() {
    return createAllowanceService(clock, await openAllowanceJournal({ folder, clock, logger: silentLogger }));
  }

  function take(
    service: Awaited<ReturnType<typeof openService>>,
    caller: string,
    wanted: number,
    slotMs: number,
  ) {
    const answers: ToWorker[] = [];
    const window = { windowMs: HOUR_MS, slotMs, nowTs: clock.now() };
    const order: AllowanceOrder = { kind: 'take', args: [caller, wanted, 100, window] };
    service.serve({ kind: 'allowances', requestId: 1, orders: [order] }, (answer) => answers.push(answer));
    const [answer] = answers;
    assert.ok(answer?.kind === 'allowances');
    return answer.answers[0]!;
  }

  it('survive a kill of the first process, minus what was returned', async () => {
    const first = await openService();
    for (let i = 0; i < 60; i++) take(first, 'other:192.0.2.1', 1, 1);
    take(first, 'key:k', 64, 5_000);
    const window = { windowMs: HOUR_MS, slotMs: 5_000, takenTs: clock.now() };
    const order: AllowanceOrder = { kind: 'give-back', args: ['key:k', 30, window] };
    first.serve({ kind: 'allowances', requestId: 2, orders: [order] }, () => {});
    clock.advance(20);
    const second = await openService();
    assert.equal(take(second, 'other:192.0.2.1', 0, 1).used, 60);
    assert.equal(take(second, 'key:k', 0, 5_000).used, 34);
    assert.equal(take(second, 'other:192.0.2.1', 60, 1).granted, 40);
  });

  it('are requested in one message per event-loop turn', async () => {
    const service = await openService();
    const said: FromWorker[] = [];
    const asked = askForAllowances((message) => {
      said.push(message);
      service.serve(message, asked.hear);
    }, clock);
    const window = { windowMs: HOUR_MS, slotMs: 1, nowTs: clock.now() };
    const taken = ['a', 'b', 'a'].map((caller) => asked.allowances.take(caller, 60, 100, window));
    assert.deepEqual(
      (await Promise.all(taken)).map(({ granted }) => granted),
      [60, 60, 40],
    );
    assert.equal(said.length, 1);
  });
});
