import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { advanceMark, EMPTY_MARK, type Mark, parseMark, type Reading, writeMark } from './mark.ts';

const reading = (state: string, more: Partial<Reading> = {}): Reading => ({
  family: 'f',
  key: 'f/1',
  state,
  ...more,
});

function walk(states: readonly string[], mark: Mark = EMPTY_MARK): { mark: Mark; facts: string[] } {
  const facts: string[] = [];
  for (const [i, state] of states.entries()) {
    const next = advanceMark(mark, ['f'], [reading(state)], i);
    facts.push(...next.changes.map(({ factKey }) => factKey));
    mark = next.mark;
  }
  return { mark, facts };
}

describe('evaluation mark', () => {
  it('reports nothing for the first reading and one fact for each later change', () => {
    assert.deepEqual(walk(['a', 'a', 'b', 'b', 'a']).facts, ['f/1/1', 'f/1/2']);
  });

  it('remains the same object while nothing changes, so that nothing is written', () => {
    const { mark } = walk(['a']);
    assert.equal(advanceMark(mark, ['f'], [reading('a')], 9).mark, mark);
  });

  it('assumes the declared previous state for a new subject of a known condition', () => {
    const { mark } = walk(['a']);
    const fresh = reading('open', { key: 'f/2', initial: 'ahead' });
    assert.deepEqual(
      advanceMark(mark, ['f'], [fresh], 1).changes.map(({ factKey }) => factKey),
      ['f/2/1'],
    );
    assert.deepEqual(advanceMark(EMPTY_MARK, ['f'], [fresh], 1).changes, []);
  });

  it('counts changes made while no rule was watching, but does not report them', () => {
    const { mark } = walk(['a', 'b']);
    const asleep = advanceMark(mark, [], [], 5).mark;
    const back = advanceMark(asleep, ['f'], [reading('c')], 6);
    assert.deepEqual(back.changes, []);
    assert.deepEqual(walk(['d'], back.mark).facts, ['f/1/2']);
  });

  it('reports the same changes with the same ids after any interruption', () => {
    const state = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(state, { minLength: 1 }), fc.nat(), (states, cut) => {
        const at = cut % states.length;
        const first = walk(states.slice(0, at));
        const second = walk(states.slice(at), parseMark(writeMark(first.mark)));
        assert.deepEqual([...first.facts, ...second.facts], walk(states).facts);
      }),
    );
  });

  it('drops only entries that are no longer read', () => {
    const { mark } = walk(['a']);
    const old = advanceMark(mark, ['f'], [reading('x', { key: 'f/9' })], 1).mark;
    const later = advanceMark(old, ['f'], [reading('a'), reading('y', { key: 'f/8' })], 30 * 86_400_000).mark;
    assert.deepEqual(Object.keys(later.entries).sort(), ['f/1', 'f/8']);
  });
});
