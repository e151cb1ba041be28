import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PostSource } from '../../sources/source.ts';
import {
  chooseLeader,
  describeFallback,
  describeSources,
  openHealth,
  type SourceHealth,
} from './source-health.ts';

const NOW = 1_790_000_000_000;

function source(name: string, staleAfterMs = 30_000): PostSource {
  return { name, staleAfterMs, lagMs: 180_000, spend: () => null } as unknown as PostSource;
}

function health(name: string, change: Partial<SourceHealth> = {}): SourceHealth {
  return { ...openHealth(source(name), NOW), answeredTs: NOW, ...change };
}

const leaderOf = (list: SourceHealth[]) => chooseLeader(list, NOW, 1)?.source.name;

describe('leading source', () => {
  it('is the first healthy source', () => {
    assert.equal(leaderOf([health('x'), health('oracle')]), 'x');
    assert.equal(leaderOf([health('x', { isStopped: true }), health('oracle')]), 'oracle');
    assert.equal(leaderOf([health('x', { answeredTs: NOW - 60_000 }), health('oracle')]), 'oracle');
    assert.equal(leaderOf([health('x', { answeredTs: null, problem: '403' }), health('oracle')]), 'oracle');
  });

  it('is never a source with outdated data, however quickly it responds', () => {
    assert.equal(leaderOf([health('oracle', { asofTs: NOW - 2 * 86_400_000 }), health('rss')]), 'rss');
  });

  it('is the source with the latest response if none is healthy', () => {
    const old = [health('x', { answeredTs: NOW - 90_000 }), health('rss', { answeredTs: NOW - 60_000 })];
    assert.equal(leaderOf(old), 'rss');
  });

  it('is always a source that can be polled', () => {
    const entry = fc.record({ isStopped: fc.boolean(), ageMs: fc.nat(100_000) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const list = entries.map(({ isStopped, ageMs }, i) =>
          health(`s${i}`, { isStopped, answeredTs: NOW - ageMs }),
        );
        const leader = chooseLeader(list, NOW, 1);
        assert.equal(
          leader === null,
          list.every(({ isStopped }) => isStopped),
        );
        assert.ok(leader === null || !leader.isStopped);
      }),
    );
  });

  it('is reported with the reason why a preferred source does not lead', () => {
    const list = [health('x', { isStopped: true, problem: 'out of credit' }), health('oracle')];
    const statuses = describeSources(list, NOW, 1);
    assert.deepEqual(
      statuses.map(({ state }) => state),
      ['stopped', 'leads'],
    );
    assert.equal(describeFallback(statuses), 'x: out of credit; using oracle meanwhile, about 180 s late');
    assert.equal(describeFallback(describeSources([health('x'), health('oracle')], NOW, 1)), null);
  });
});
