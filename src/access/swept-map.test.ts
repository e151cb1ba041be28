import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSweptMap } from './swept-map.ts';

describe('swept map', () => {
  function fill(count: number) {
    const busy = new Set<string>();
    let looks = 0;
    const map = createSweptMap<string>(count, (name) => {
      looks += 1;
      return !busy.has(name);
    });
    for (let i = 0; i < count; i++) {
      busy.add(`${i}`);
      map.set(`${i}`, `${i}`);
    }
    const countLooks = () => {
      const counted = looks;
      looks = 0;
      return counted;
    };
    return { map, busy, countLooks };
  }

  it('checks only a few entries per insert, no matter how many are busy', () => {
    const { map, countLooks } = fill(10_000);
    for (let i = 0; i < 3_000; i++) {
      assert.equal(map.makeRoom(), false);
      assert.ok(countLooks() <= 8);
    }
    assert.equal(map.size, 10_000);
  });

  it('visits all entries round-robin and drops idle ones', () => {
    const { map, busy } = fill(100);
    busy.delete('57');
    let calls = 1;
    while (!map.makeRoom()) calls += 1;
    assert.ok(calls <= Math.ceil(101 / 8) + 1, `${calls} calls`);
    assert.equal(map.get('57'), undefined);
    assert.equal(map.size, 99);
    map.set('new', 'new');
    busy.add('new').delete('3');
    while (!map.makeRoom());
    assert.deepEqual([map.get('3'), map.get('new')], [undefined, 'new']);
  });

  it('drops nothing while there is room', () => {
    const { map, busy, countLooks } = fill(10);
    busy.clear();
    assert.ok(map.makeRoom());
    assert.ok(map.makeRoom());
    assert.deepEqual([map.size, countLooks()], [9, 1]);
  });
});
