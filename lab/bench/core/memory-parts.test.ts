import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseMemoryMap } from './memory-parts.ts';

it('sums resident memory by kind of mapping', () => {
  const map = [
    '00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/node',
    'Size:                328 kB',
    'Rss:                2048 kB',
    '01a00000-02a00000 rw-p 00000000 00:00 0           [heap]',
    'Rss:                1024 kB',
    'ffff9000-ffffa000 rw-p 00000000 00:00 0 ',
    'Rss:                 512 kB',
    'ffffb000-ffffc000 rw-p 00000000 00:00 0           [stack]',
    'Rss:                 512 kB',
    'VmFlags: rd wr mr',
  ].join('\n');
  assert.deepEqual(parseMemoryMap(map), { allocatorMb: 1, filesMb: 2, otherMb: 1 });
});
