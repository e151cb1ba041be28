import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurnQueue } from '../../runtime/turn-queue.ts';
import { createInlineRunner, type ForecastRunner } from './forecast-runner.ts';
import { waitForTurn } from './forecast-threads.ts';

describe('background work of several shards', () => {
  it('waits for its turn, and gives it up when closed, even before it began', async () => {
    const turns = createTurnQueue(1);
    const open = new Set<ForecastRunner>();
    const create = () => {
      const runner = createInlineRunner();
      const close = async () => void open.delete(own);
      const own: ForecastRunner = { ...runner, walkOn: async () => null, close };
      open.add(own);
      return own;
    };
    const [first, second, third] = [1, 2, 3].map(() => waitForTurn(turns, create));
    assert.equal(await first!.walkOn(), null);
    const refused = assert.rejects(second!.walkOn(), /was closed/);
    const late = third!.walkOn();
    await second!.close();
    await refused;
    assert.equal(open.size, 1);
    await first!.close();
    assert.equal(await late, null);
    assert.equal(open.size, 1);
    await third!.close();
    assert.equal(open.size, 0);
  });
});
