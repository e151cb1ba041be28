import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPreparedViews } from './prepared-views.ts';

/** Counts how often the content was built. */
function createScene() {
  const views = createPreparedViews();
  const scene = { made: 0, ask };
  function ask(key: string, version: readonly unknown[], nowTs: number) {
    return views.get(key, version, nowTs, () => ({ made: ++scene.made }));
  }
  return scene;
}

describe('prepared views', () => {
  it('are built once for the same request and content within a second', () => {
    const scene = createScene();
    const first = scene.ask('a', [1, 2], 0);
    assert.equal(scene.ask('a', [1, 2], 999), first);
    assert.equal(scene.made, 1);
  });

  it('are rebuilt for another request, for new content, after a second, and when the clock moves back', () => {
    const scene = createScene();
    scene.ask('a', [1, 2], 0);
    scene.ask('b', [1, 2], 0);
    scene.ask('a', [1, 3], 0);
    scene.ask('a', [1, 3], 1_000);
    scene.ask('a', [1, 3], 999);
    assert.equal(scene.made, 5);
  });

  it('are never returned for a different request, however many are cached', () => {
    const scene = createScene();
    const bodies = new Set(Array.from({ length: 1_000 }, (_, i) => scene.ask(String(i), [], 0)));
    assert.equal(bodies.size, 1_000);
    assert.equal(scene.made, 1_000);
    scene.ask('999', [], 0);
    assert.equal(scene.made, 1_000, 'the newest are still cached');
    scene.ask('0', [], 0);
    assert.equal(scene.made, 1_001, 'the oldest were evicted');
  });
});
