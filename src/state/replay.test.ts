import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent, samplePost, sampleQuote } from '../../test/store/samples.ts';
import { applyObservation } from './apply-observation.ts';
import { replay } from './replay.ts';
import { createEmptySnapshot, type Observation } from './snapshot.ts';

const NOW = 1_790_000_000_000;
const FEED = { feed: 'own', updatedTs: null, staleAfterMs: 10_000, problem: null } as const;
const event = sampleEvent({ eventId: 1, window: { startTs: NOW - 10, endTs: NOW + 1_000_000 } });

const OBSERVATIONS: readonly Observation[] = [
  { kind: 'events-listed', events: [event], realCounts: { 1: 3 } },
  {
    kind: 'posts-captured',
    posts: [samplePost({ postId: '9', createdTs: NOW })],
    captureDelay: { medianMs: 1, p90Ms: 2, p99Ms: 3, sampleSize: 4 },
  },
  { kind: 'quotes-read', quotes: [sampleQuote({ bid: 0.2, ask: 0.3, observedTs: NOW })] },
  { kind: 'feed-answered', feed: 'own', venue: undefined, observedTs: NOW },
  { kind: 'counts-read', feed: 'oracle', readings: [{ eventId: 1, count: 4 }], observedTs: NOW },
  { kind: 'notice-set', about: 'contradiction', text: 'two sources differ' },
  { kind: 'clock' },
  { kind: 'event-settled', eventId: 1, settlement: { finalCount: 4, winningLabel: null, revision: 1 } },
];

/** A minute passes between observations, so that the feed goes stale. */
function observe() {
  const start = { ...createEmptySnapshot('a', NOW, [FEED]), version: 7 };
  let snapshot = start;
  const logged = OBSERVATIONS.flatMap((observation, i) => {
    const ts = NOW + i * 60_000;
    const step = applyObservation(snapshot, observation, ts);
    if (step.snapshot === snapshot) return [];
    snapshot = step.snapshot as typeof snapshot;
    return [{ version: snapshot.version, ts, body: JSON.stringify(observation), changes: step.changes }];
  });
  return { start, snapshot, logged };
}

describe('replaying what was logged', () => {
  it("gives the leader's snapshot and its changes", () => {
    const { start, snapshot, logged } = observe();
    const steps = replay(start, logged);
    assert.deepEqual(steps.at(-1)!.snapshot, snapshot);
    assert.deepEqual(
      steps.map(({ changes }) => changes),
      logged.map(({ changes }) => changes),
    );
  });

  it('skips what is known and stops at a gap', () => {
    const { start, logged } = observe();
    const known = replay(start, logged.slice(0, 3)).at(-1)!.snapshot;
    assert.equal(replay(known, logged).at(-1)!.snapshot.version, logged.at(-1)!.version);
    assert.deepEqual(replay(start, logged.slice(1)), []);
    assert.equal(replay(start, logged.toSpliced(3, 1)).length, 3);
  });
});
