// node scripts/draw-rooms.ts [FOLDER] > docs/img/rooms.svg: draws the rooms of the repository in FOLDER (here
// by default) and their imports. To draw an older commit: git archive COMMIT | tar -x -C FOLDER.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawRoomGraph, readRoomGraph } from './room-graph.ts';

const folder = process.argv[2] ?? '.';
const paths = globSync(
  [
    '{src,lab,simulator}/**/*.ts',
    'packages/client-js/src/**/*.ts',
    'client/**/*.ts',
    'web/src/**/*.{ts,tsx}',
  ],
  {
    cwd: folder,
  },
);
const files = paths
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
process.stdout.write(drawRoomGraph(readRoomGraph(files)));
