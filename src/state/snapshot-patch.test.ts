import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AccountSnapshot, createEmptySnapshot } from './snapshot.ts';
import {
  applyChanges,
  applyPatch,
  createSnapshotWriter,
  findPatch,
  keepUnchanged,
  type Patch,
} from './snapshot-patch.ts';

const EMPTY = createEmptySnapshot('a', 1, []);

/** As it arrives at a replica. */
function send(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('a snapshot patch', () => {
  it('turns any value into any other, and is empty only for equal values', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, value, (previous, next) => {
        const patch = findPatch(send(previous), send(next));
        const result = patch ? applyPatch(send(previous), send(patch) as Patch) : send(previous);
        assert.deepEqual(result, send(next));
      }),
    );
  });

  it('turns a list into any rearrangement of it', () => {
    const list = fc.array(fc.record({ id: fc.nat(20), more: fc.array(fc.nat(3)) }), { maxLength: 8 });
    fc.assert(
      fc.property(list, fc.array(fc.nat(9)), list, (previous, places, added) => {
        const next = [...places.flatMap((place) => previous[place] ?? []), ...added];
        const patch = findPatch(previous, next);
        const result = patch ? applyPatch(previous, send(patch) as Patch) : previous;
        assert.deepEqual(send(result), send(next));
      }),
    );
  });

  it('contains only what changed, and keeps the identity of the rest', () => {
    const events = [1, 2].map((eventId) => ({
      event: { eventId, title: 't'.repeat(99) },
      counters: { real: 1 },
    }));
    const previous = { events, quotes: { yes: { bid: 1 }, no: { bid: 2 } }, recentPosts: [{ postId: '1' }] };
    const next = {
      events: [events[0], { ...events[1], counters: { real: 2 } }],
      quotes: { ...previous.quotes, yes: { bid: 3 } },
      recentPosts: [{ postId: '2' }, ...previous.recentPosts],
    };
    const patch = findPatch(previous, next)!;
    assert.deepEqual(patch, {
      keys: {
        events: {
          list: [[0, 1], { at: 1, patch: { keys: { counters: { keys: { real: { set: 2 } } } } } }],
        },
        quotes: { keys: { yes: { keys: { bid: { set: 3 } } } } },
        recentPosts: { list: [{ set: { postId: '2' } }, [0, 1]] },
      },
    });
    const result = applyPatch(previous, patch) as typeof next;
    assert.deepEqual(result, next);
    assert.equal(result.events[0], events[0]);
    assert.equal(result.events[1]!.event, events[1]!.event);
    assert.equal(result.quotes.no, previous.quotes.no);
  });

  it('leaves out undefined values, and removes keys', () => {
    const patch = findPatch({ gone: 1, kept: 2 }, { gone: undefined, kept: 2, never: undefined });
    assert.deepEqual(patch, { keys: { gone: null } });
    assert.deepEqual(applyPatch({ gone: 1, kept: 2 }, patch!), { kept: 2 });
    assert.equal(findPatch({ kept: 2 }, { kept: 2, never: undefined }), undefined);
  });

  it('reuses what is equal in a snapshot read whole', () => {
    const before = { ...EMPTY, recentPosts: [{ postId: '1' }], version: 1 } as unknown as AccountSnapshot;
    const after = keepUnchanged(before, { ...(send(before) as AccountSnapshot), version: 2 });
    assert.equal(after.recentPosts, before.recentPosts);
    assert.equal(after.version, 2);
    assert.equal(keepUnchanged(before, send(before) as AccountSnapshot), before);
  });
});

describe('changes of a snapshot', () => {
  const at = (version: number) => ({ ...EMPTY, version, totalPosts: version });
  const between = (previous: number, version: number) => ({
    previous,
    version,
    body: JSON.stringify(findPatch(at(previous), at(version))),
  });

  it('apply in order, ignore what is already known, and stop at a gap', () => {
    const changes = [between(1, 2), between(2, 5), between(5, 6), between(7, 8)];
    assert.deepEqual(applyChanges(at(2), changes), at(6));
    assert.deepEqual(applyChanges(at(3), changes), at(3));
    assert.deepEqual(applyChanges(at(7), changes), at(8));
  });
});

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
