import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import type { KeyStore } from '../store/ports.ts';
import { createKeyDirectory } from './key-directory.ts';
import { digestKey, generateKey } from './key-service.ts';
import { createLimiter, DEFAULT_LIMITS } from './limiter.ts';
import { memoryKeys } from './memory-keys.test-support.ts';

function openDirectory() {
  const { records, keys } = memoryKeys();
  let questions = 0;
  const counted: KeyStore = {
    ...keys,
    findByDigest(digest) {
      questions += 1;
      return keys.findByDigest(digest);
    },
    listByDigests(digests) {
      questions += 1;
      return keys.listByDigests(digests);
    },
  };
  const clock = createManualClock(1_000);
  const limiter = createLimiter(DEFAULT_LIMITS, clock);
  const directory = createKeyDirectory({ keys: counted, limiter, clock, logger: silentLogger });
  const issue = () => {
    const key = generateKey('PRO');
    const fixed = { tier: 'PRO', label: '', firstCharacters: '', lastCharacters: '' } as const;
    const times = { createdTs: 0, revokedTs: null, expiresTs: null };
    records.push({ ...fixed, ...times, keyId: `key_${records.length}`, digest: digestKey(key) });
    return key;
  };
  const find = (key: string) => directory.find(key, clock.now());
  return { find, issue, questions: () => questions };
}

describe('unknown keys', () => {
  it('cause a bounded number of store queries, no matter how many are guessed', async () => {
    const { find, questions } = openDirectory();
    const guesses = Array.from({ length: 1_000 }, () => find(generateKey('PRO')));
    assert.ok((await Promise.all(guesses)).every((identity) => identity === null));
    assert.ok(questions() <= 5, `${questions()} queries`);
  });

  it('do not delay the lookup of a key that was just issued', async () => {
    const { find, issue } = openDirectory();
    const guesses = Array.from({ length: 100 }, () => find(generateKey('PRO')));
    const found = [find(issue()), find(issue())];
    assert.deepEqual(
      (await Promise.all(found)).map((identity) => identity?.keyId),
      ['key_0', 'key_1'],
    );
    await Promise.all(guesses);
  });

  it('are looked up immediately when there was no recent miss', async () => {
    const { find, issue, questions } = openDirectory();
    assert.equal((await find(issue()))?.tier, 'PRO');
    assert.equal((await find(issue()))?.tier, 'PRO');
    assert.equal(questions(), 2);
  });
});
