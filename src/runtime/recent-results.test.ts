import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecentResults } from './recent-results.ts';

const HOLDS_MS = 10;

function createScene(capacity = 3) {
  const results = createRecentResults<string, number>(capacity, HOLDS_MS);
  const scene = { made: 0, ask };
  function ask(key: string, nowTs: number, basis: unknown = null): number {
    return results.get(key, basis, nowTs, () => ++scene.made);
  }
  return scene;
}

describe('recent results', () => {
  it('are computed once while valid, and again for another basis, after expiry or if the clock was set back', () => {
    const scene = createScene();
    assert.equal(scene.ask('a', 100), 1);
    assert.equal(scene.ask('a', 109), 1);
    assert.equal(scene.ask('a', 109, 'other'), 2);
    assert.equal(scene.ask('a', 119, 'other'), 3);
    assert.equal(scene.ask('a', 118, 'other'), 4);
  });

  it('compare a basis that is a list item by item', () => {
    const scene = createScene();
    assert.equal(scene.ask('a', 0, ['x', 1]), 1);
    assert.equal(scene.ask('a', 1, ['x', 1]), 1);
    assert.equal(scene.ask('a', 1, ['x', 2]), 2);
    assert.equal(scene.ask('a', 1, ['x']), 3);
  });

  it('drop the oldest when there are too many', () => {
    const scene = createScene();
    for (const key of ['a', 'b', 'c', 'd']) scene.ask(key, 0);
    assert.equal(scene.ask('b', 1), 2);
    assert.equal(scene.ask('a', 1), 5);
  });

  it('drop only expired entries when another is added', () => {
    const scene = createScene();
    scene.ask('old', 0);
    scene.ask('young', 5);
    scene.ask('new', 10);
    assert.equal(scene.ask('young', 14), 2);
    // Had the entry not been dropped, setting the clock back would make it valid again.
    assert.equal(scene.ask('old', 5), 4);
  });
});
