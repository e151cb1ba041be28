// Draws the soak plot: resident memory over time, by kind.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawLines } from '../../../src/forecast/backtest/plots.ts';
import { ROOT } from '../core/processes.ts';
import type { MemoryParts } from './memory-parts.ts';

export interface PlottedSample extends MemoryParts {
  atMs: number;
  rssMb: number;
}

const FILE = 'docs/img/soak.svg';
const STYLE =
  '<style>:root{--line:#dde3ea;--axis:#7b8794;--main:#0b63b6}svg{fill:#52606d;font-family:sans-serif}rect{fill:#fff}</style><rect width="100%" height="100%"/>';
const MAX_POINTS = 240;

export function writeSoakPlot(samples: readonly PlottedSample[]): string {
  const every = Math.ceil(samples.length / MAX_POINTS);
  const shown = samples.filter((_, i) => i % every === 0);
  const line = (name: string, read: (sample: PlottedSample) => number) => ({
    name,
    points: shown.map((sample) => ({ x: (sample.atMs - samples[0]!.atMs) / 60_000, y: read(sample) })),
  });
  const picture = drawLines(
    [
      line('all', ({ rssMb }) => rssMb),
      line('allocator', ({ allocatorMb }) => allocatorMb),
      line('files', ({ filesMb }) => filesMb),
      line('V8 and stacks', ({ otherMb }) => otherMb),
    ],
    'all',
    { x: 'minutes of load', y: 'resident MB' },
  );
  const file = join(ROOT, FILE);
  writeFileSync(
    file,
    `${picture.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', `>${STYLE}`)}\n`,
  );
  return FILE;
}
