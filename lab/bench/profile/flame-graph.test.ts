import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildFrames, drawFlameGraph, listCosts } from './flame-graph.ts';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0 });
const PROFILE = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 5] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('handle', 'file:///x/src/api/server.ts'), children: [4] },
    { id: 4, callFrame: frame('write<T>', 'node:net') },
    { id: 5, callFrame: frame('handle', 'file:///x/src/api/server.ts') },
  ],
  samples: [2, 3, 4, 5],
  timeDeltas: [900, 10, 70, 20],
};

describe('flame graph', () => {
  const root = buildFrames(PROFILE);

  it('leaves out time asleep and joins equal frames', () => {
    assert.equal(root.totalUs, 100);
    assert.deepEqual(
      root.children.map(({ name, selfUs, totalUs }) => ({ name, selfUs, totalUs })),
      [{ name: 'handle', selfUs: 30, totalUs: 100 }],
    );
  });

  it('names the places that cost most', () => {
    assert.deepEqual(
      listCosts(root)
        .slice(0, 2)
        .map(({ place, share }) => [place, share]),
      [
        ['node:net', 0.7],
        ['src/server/server.ts', 0.3],
      ],
    );
  });

  it('escapes what it writes', () => {
    assert.match(drawFlameGraph(root, 'a & b'), /a &amp; b[\s\S]*write&lt;T&gt; \(node:net\) 70\.0%/);
  });
});
