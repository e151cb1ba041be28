import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createRandom } from '../../src/runtime/random.ts';
import { stormForever } from './forever.ts';
import { drawScene, type Scene } from './scene.ts';

it('logs every seed with its commit and result, and a failing seed with its shortest history', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-forever-'));
  const logFile = join(folder, 'storms.jsonl');
  const seeds = [5, 6];
  const isKilled = (scenes: readonly Scene[]) =>
    scenes.some(({ deeds }) => deeds.some(({ kind }) => kind === 'kill'));
  const isWell = await stormForever({
    ...{ engine: 'sqlite', days: 5, logFile, runs: 2, say() {}, commit: 'abc' },
    nextSeed: () => seeds.shift()!,
    // The planted fault: seed 6 fails whenever a process is killed.
    async storm(seed, given) {
      const random = createRandom(seed);
      const scenes = given ?? Array.from({ length: 20 }, (_, index) => drawScene(random, index));
      return {
        faults: 1,
        broken: seed === 6 && isKilled(scenes) ? ['a post was lost'] : [],
        digest: '',
        scenes,
      };
    },
  });
  const [sound, broken] = readFileSync(logFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  assert.equal(isWell, false);
  assert.deepEqual([sound.seed, sound.commit, sound.broken, 'shortest' in sound], [5, 'abc', [], false]);
  assert.deepEqual([broken.seed, broken.broken], [6, ['a post was lost']]);
  assert.deepEqual(
    broken.shortest.map(({ deeds }: Scene) => deeds.map(({ kind }) => kind)),
    [['kill']],
  );
});
