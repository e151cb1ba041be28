import assert from 'node:assert/strict';
import { it } from 'node:test';
import { giveWay, ignoreTurnLength, takeBackgroundTurn } from './turns.ts';

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

it('does not look at the clock in a run that must not depend on it', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other'));
  const timeTurns = ignoreTurnLength();
  await giveWay();
  workFor(5);
  await giveWay();
  timeTurns();
  order.push('own');
  assert.deepEqual(order, ['own']);
});

it('runs one piece of background work per turn, oldest first', async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    await takeBackgroundTurn();
    order.push(name);
  };
  const works = [work('first'), work('second')];
  setImmediate(() => {
    order.push('other');
    setImmediate(() => order.push('later'));
  });
  await Promise.all(works);
  assert.deepEqual(order, ['first', 'other', 'second']);
});
