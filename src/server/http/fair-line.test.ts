import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFairTurns, FairLine } from './fair-line.ts';

interface Item {
  caller: string;
  number: number;
}

function lineOf(callers: string): FairLine<Item> {
  const line = new FairLine<Item>();
  for (const [number, caller] of [...callers].entries()) line.push({ caller, number });
  return line;
}

function drain(line: FairLine<Item>): Item[] {
  const items: Item[] = [];
  for (let item = line.shift(); item; item = line.shift()) items.push(item);
  return items;
}

const toText = (items: readonly Item[]) => items.map(({ caller }) => caller).join('');
const anyCallers = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 })
  .map((each) => each.join(''));

describe('fair queue', () => {
  it("serves every caller's first request before any caller's second", () => {
    assert.equal(toText(drain(lineOf('aaaaabbc'))), 'abcabaaa');
  });

  it('serves a new caller in the current round and an already served caller in the next', () => {
    const line = lineOf('aaaab');
    assert.equal(line.shift()!.caller, 'a');
    line.push({ caller: 'c', number: 5 });
    assert.equal(toText([line.shift()!, line.shift()!]), 'bc');
    line.push({ caller: 'b', number: 6 });
    line.push({ caller: 'c', number: 7 });
    assert.equal(toText(drain(line)), 'abcaa');
  });

  it('serves every request once, in order per caller', () => {
    fc.assert(
      fc.property(anyCallers, (callers) => {
        const items = drain(lineOf(callers));
        assert.equal(items.length, callers.length);
        for (const caller of 'abcd') {
          const numbers = items.filter((item) => item.caller === caller).map(({ number }) => number);
          assert.deepEqual(
            numbers,
            numbers.toSorted((x, y) => x - y),
          );
        }
      }),
    );
  });

  it('delays a caller by at most one request from each other caller', () => {
    fc.assert(
      fc.property(anyCallers, (callers) => {
        const line = lineOf(callers);
        line.push({ caller: 'late', number: -1 });
        const ahead = drain(line).findIndex(({ caller }) => caller === 'late');
        assert.ok(ahead <= 4, `${ahead} ahead`);
      }),
    );
  });

  it("drops requests from the end of the queue, the busiest caller's newest first", () => {
    const line = lineOf('aaaaabbc');
    const gone = line.dismiss(5, () => false);
    assert.deepEqual([toText(gone), toText(drain(line))], ['aaa', 'abcab']);
  });

  it('keeps the remaining requests in order after dropping others', () => {
    const number = fc.nat({ max: 12 });
    fc.assert(
      fc.property(anyCallers, number, number, anyCallers, (callers, served, sure, later) => {
        const line = lineOf(callers);
        for (let i = 0; i < served; i++) line.shift();
        const mayStay = (item: Item, ahead: number) => ahead < sure + 4 && item.number % 3 === 0;
        const before = drain(lineOf(callers)).slice(served);
        const stay: Item[] = [];
        const go: Item[] = [];
        for (const item of before) (stay.length < sure || mayStay(item, stay.length) ? stay : go).push(item);
        assert.deepEqual(line.dismiss(sure, mayStay), go);
        assert.equal(line.length, stay.length);
        for (const caller of later) line.push({ caller, number: -1 });
        const rest = drain(line);
        assert.equal(rest.length, stay.length + later.length);
        assert.deepEqual(
          rest.filter((item) => item.number >= 0),
          stay,
        );
      }),
    );
  });

  it("queues a caller's next request in the round after its last remaining one", () => {
    const line = lineOf('aaaaabb');
    line.dismiss(4, () => false);
    line.push({ caller: 'c', number: 7 });
    line.push({ caller: 'a', number: 8 });
    assert.equal(toText(drain(line)), 'abcaba');
  });
});

describe('fair scheduling', () => {
  it('runs one task at a time and continues after a failure', async () => {
    const turns = createFairTurns();
    let atWork = 0;
    const work = async (fails: boolean) => {
      atWork += 1;
      assert.equal(atWork, 1);
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
      if (fails) throw new Error('failed');
    };
    const all = [true, false, true, false].map((fails, i) => turns.enter(`caller ${i}`, () => work(fails)));
    const settled = await Promise.allSettled(all);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });
});
