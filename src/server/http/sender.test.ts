import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silentLogger } from '../../runtime/logger.ts';
import { USAGE_WIDTH } from '../../store/queries/usage.ts';
import { UsageRing } from '../usage/usage-ring.ts';
import type { Exchange } from './exchange.ts';
import type { RequestMeter } from './request-meter.ts';
import { createSender } from './sender.ts';

it('a stream is recorded with the time it took to open, not with how long it stayed open', () => {
  let nowMs = 0;
  const ring = new UsageRing(10);
  const meter = { record() {} } as unknown as RequestMeter;
  const sender = createSender({ ring, meter, logger: silentLogger, stopwatch: () => nowMs });
  const exchange = (wallTs: number) =>
    ({ startedMs: nowMs, wallTs, openedMs: null, key: { keyId: 'k' }, req: { method: 'GET' } }) as Exchange;
  const call = exchange(0);
  const stream = exchange(1_000);
  nowMs = 4;
  sender.noteOpened(stream);
  nowMs = 90_000;
  sender.finish(call, 200, 0, null);
  sender.finish(stream, 200, 0, null);
  const { numbers } = ring.peek(2);
  assert.deepEqual([numbers[5], numbers[USAGE_WIDTH + 5]], [90_000, 4]);
});
