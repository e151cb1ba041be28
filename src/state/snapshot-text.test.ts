import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AccountSnapshot, createEmptySnapshot } from './snapshot.ts';
import { createSnapshotWriter } from './snapshot-patch.ts';

const EMPTY = createEmptySnapshot('a', 1, []);

describe('snapshot text', () => {
  it('is the JSON of any snapshot', () => {
    const write = createSnapshotWriter();
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
          assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(snapshot)));
        }
      }),
    );
  });

  it('omits undefined values, like JSON', () => {
    const snapshot = { ...EMPTY, notices: undefined } as unknown as AccountSnapshot;
    assert.equal('notices' in JSON.parse(createSnapshotWriter()(snapshot)), false);
  });
});
