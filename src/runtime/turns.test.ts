import assert from 'node:assert/strict';
import { it } from 'node:test';
import { giveWay } from './turns.ts';

function workFor(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

it('lets others run after a long piece of work', async () => {
  const order: string[] = [];
  await giveWay();
  workFor(2);
  setImmediate(() => order.push('other'));
  await giveWay();
  order.push('own');
  assert.deepEqual(order, ['other', 'own']);
});
