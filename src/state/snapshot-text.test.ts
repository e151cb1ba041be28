import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AccountSnapshot, createEmptySnapshot } from './snapshot.ts';
import { createSnapshotReader, createSnapshotWriter } from './snapshot-text.ts';

const EMPTY = createEmptySnapshot('a', 1, []);

describe('snapshot text', () => {
  it('round-trips any snapshot and is valid JSON', () => {
    const write = createSnapshotWriter();
    const read = createSnapshotReader();
    const changes = fc.array(
      fc.record({
        version: fc.nat(),
        notices: fc.dictionary(fc.string(), fc.string()),
        quotes: fc.dictionary(fc.string(), fc.jsonValue()),
        events: fc.array(fc.jsonValue()),
      }),
    );
    fc.assert(
      fc.property(changes, (list) => {
        for (const change of list) {
          const snapshot = { ...EMPTY, ...change } as unknown as AccountSnapshot;
          const text = write(snapshot);
          assert.deepEqual(JSON.stringify(read(text)), JSON.stringify(snapshot));
          assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(snapshot)));
        }
      }),
    );
  });

  it('reuses unchanged fields when parsing', () => {
    const write = createSnapshotWriter();
    const read = createSnapshotReader();
    const recentPosts = [{ text: 'one,\n"two":3' }] as unknown as AccountSnapshot['recentPosts'];
    const first = read(write({ ...EMPTY, recentPosts }));
    const second = read(write({ ...EMPTY, recentPosts: [...recentPosts], version: 2 }));
    assert.equal(second.recentPosts, first.recentPosts);
    assert.deepEqual([first.version, second.version], [0, 2]);
    assert.deepEqual(read(JSON.stringify({ ...EMPTY, recentPosts })), { ...EMPTY, recentPosts });
  });

  it('omits undefined values, like JSON', () => {
    const snapshot = { ...EMPTY, notices: undefined } as unknown as AccountSnapshot;
    assert.equal('notices' in createSnapshotReader()(createSnapshotWriter()(snapshot)), false);
  });
});
