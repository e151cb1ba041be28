// The room diagram, drawn from planted imports.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { drawRoomGraph, findFloors, readRoomGraph } from '../scripts/room-graph.ts';

/** Rooms in the diagram that are not folders in src. */
const OUTSIDE_SRC = ['packages/client-js', 'client-js', 'client', 'web', 'simulator'];

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((from) => `import { x } from '${from}';\n`).join(''),
});

describe('the room diagram', () => {
  const files = [
    file('src/low/a.ts'),
    file('src/mid/inner/b.ts', '../../low/a.ts', './c.ts'),
    file('src/high/d.ts', '../mid/inner/b.ts', '../low/a.ts', 'node:fs'),
  ];

  it('has one arrow per imported room, and none inside a room or to libraries', () => {
    assert.deepEqual(readRoomGraph(files).arrows, [
      { from: 'high', to: 'low' },
      { from: 'high', to: 'mid' },
      { from: 'mid', to: 'low' },
    ]);
    assert.deepEqual(readRoomGraph(files).rooms.get('mid'), ['inner']);
  });

  it('places each room above everything it imports', () => {
    assert.deepEqual([...findFloors(readRoomGraph(files))].sort(), [
      ['high', 2],
      ['low', 0],
      ['mid', 1],
    ]);
  });

  it('draws arrows that close an import cycle in red', () => {
    assert.ok(!drawRoomGraph(readRoomGraph(files)).includes('class="u"'));
    const drawn = drawRoomGraph(readRoomGraph([...files, file('src/low/e.ts', '../high/d.ts')]));
    assert.match(drawn, /class="u"[^>]*><title>\w+ imports \w+</);
  });

  it('in the docs contains exactly the existing rooms', () => {
    const drawn = readFileSync('docs/img/rooms.svg', 'utf8').matchAll(
      /<text class="t"[^>]*>([^<]+)<\/text>/g,
    );
    const paths = globSync('{src,lab}/*/**/*.ts').filter((path) => !path.includes('.test.'));
    const rooms = new Set(paths.map((path) => path.split('/')[1]));
    const shown = [...drawn].map((match) => match[1]!);
    assert.deepEqual(
      [...rooms].filter((room) => !shown.includes(room!)),
      [],
      'redraw it: node scripts/draw-rooms.ts > docs/img/rooms.svg',
    );
    assert.deepEqual(
      shown.filter((room) => !rooms.has(room) && !OUTSIDE_SRC.includes(room)),
      [],
    );
  });
});
