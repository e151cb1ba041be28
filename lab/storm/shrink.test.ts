import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../src/runtime/random.ts';
import { type Deed, drawScene, type Scene } from './scene.ts';
import { shrinkHistory } from './shrink.ts';

const random = createRandom(35);
const DRAWN = Array.from({ length: 40 }, (_, index) => drawScene(random, index));
const hasDeed = (scene: Scene, kind: Deed['kind']) => scene.deeds.some((deed) => deed.kind === kind);

/** A planted fault: a kill that causes a lost post in a later scene. */
const losesPost = async (history: readonly Scene[]) => {
  const killed = history.findIndex((scene) => hasDeed(scene, 'kill'));
  return killed >= 0 && history.slice(killed + 1).some((scene) => hasDeed(scene, 'post'));
};

describe('a failing history', () => {
  it('is reduced to the two scenes and two actions that make it fail', async () => {
    assert.ok(await losesPost(DRAWN));
    const shortest = await shrinkHistory(DRAWN, losesPost);
    assert.ok(await losesPost(shortest));
    assert.deepEqual(
      shortest.map(({ deeds, simulatorFaults }) => [deeds.map(({ kind }) => kind), simulatorFaults]),
      [
        [['kill'], []],
        [['post'], []],
      ],
    );
  });

  it('is unchanged if it does not fail again', async () => {
    assert.equal(await shrinkHistory(DRAWN, async () => false), DRAWN);
  });
});
