// Profiles hot endpoints of the started program under load and draws where the time goes.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../core/bench.ts';
import { ROOT } from '../core/processes.ts';
import { HOT_CALLERS, listCallers } from '../hot.ts';
import { generateLoad, rawRequest } from '../load/generate.ts';
import { findFreePort } from '../load/rivals.ts';
import { startWholeService } from '../load/whole-service.ts';
import { buildFrames, type Cost, drawFlameGraph, type Frame, listCosts } from './flame-graph.ts';
import { profileProcess } from './profile-process.ts';

const IMAGE = 'docs/img/hot-endpoint-flame.svg';
/** The first is drawn. */
const CASES = [
  { tier: 'PRO', path: '/api/v1/prediction/account_a' },
  { tier: 'FREE', path: '/api/v1/prediction/account_a' },
  { tier: null, path: '/api/v1/meta/account_a' },
] as const;

interface Profiled {
  title: string;
  root: Frame;
}

/** Draws the picture; the words go into the page of results. */
export async function profileHotEndpoint(options: BenchOptions): Promise<string> {
  const profiled = await profileCases(options);
  const { title, root } = profiled[0]!;
  mkdirSync(join(ROOT, 'docs/img'), { recursive: true });
  writeFileSync(join(ROOT, IMAGE), drawFlameGraph(root, title));
  options.say(`wrote ${IMAGE}`);
  return describeProfiles(profiled);
}

async function profileCases(options: BenchOptions): Promise<Profiled[]> {
  const inspectPort = await findFreePort();
  const env = { ...HOT_CALLERS.env, NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectPort}` };
  const service = await startWholeService(options, { ...HOT_CALLERS, env });
  const profiled: Profiled[] = [];
  try {
    for (const { tier, path } of CASES) {
      const title = `GET ${path}, ${tier ?? 'public'}`;
      options.say(`profiling ${title}`);
      const requests = listCallers(service.keys, tier).map((headers) => rawRequest(path, headers));
      const load = { port: service.port, requests, seconds: options.isQuick ? 1 : 8 };
      await generateLoad(options.scratchDir, { ...load, seconds: 1 });
      let sent = 0;
      const profile = await profileProcess(service.pid, inspectPort, async () => {
        sent = (await generateLoad(options.scratchDir, load)).requests;
      });
      const root = buildFrames(profile);
      profiled.push({
        title: `${title}: ${(root.totalUs / sent).toFixed(1)} µs on the main thread per request, profiler on`,
        root,
      });
    }
  } finally {
    await service.stop();
  }
  return profiled;
}

/** What was done about each place that has ever been among the largest. */
const DONE: [RegExp, string][] = [
  [
    /^socket writes/,
    'one write per answer: a body up to 8 kB is kept as a string behind its head so that both leave in one call, a longer one goes out with its head by one writev, without a copy; the bare server pays the same',
  ],
  [
    /^garbage collection/,
    'nothing is allocated in limiter, usage ring and meter, and bodies and heads live for a second; what is left are the buffer of the request, its header strings and the head of the answer',
  ],
  [
    /^event loop/,
    'reading, parsing and waking up, which the bare server pays too: nothing is registered with the event loop per request',
  ],
  [
    /^node:_http_(outgoing|server|incoming|common)/,
    "the platform's own parsing and bookkeeping per request, which the bare server pays too: headers are read from the raw list without building the header object, and the head is written as one prepared string instead of header by header",
  ],
  [
    /^node:(net|internal\/stream|stream)/,
    'sockets and streams of the platform: one write and no drain listeners per answer',
  ],
  [
    /^node:internal\/(timers|process|async|per)/,
    'timers and callbacks of the platform: no timer per request of ours, and none of the socket, which would be set anew with every read and write',
  ],
  [/^node:events/, 'events of the platform: no listener is added per request on the hot path'],
  [
    /^src\/api\/http\/sender/,
    'heads are prepared per body and per second; only rate lines and the request id are made per answer',
  ],
  [/^src\/api\/usage/, 'columns of typed arrays, filled in place and handed to the writer thread as columns'],
  [
    /^src\/api\/access/,
    'keys by cached text, one digest per new key; the limiter is a ring of times or slots per caller; use is on disk a handful ahead',
  ],
  [/^src\/api\//, 'ours: bodies are prepared once per second and tier'],
];

function describeProfiles(profiled: readonly Profiled[]): string {
  const parts = profiled.map(
    ({ title, root }) => `### ${title}\n\n${describeCosts(listCosts(root).slice(0, 8))}\n`,
  );
  return `## Where the time of the hot endpoints goes

![Flame graph of the first](img/hot-endpoint-flame.svg)

Self time by module of the started program's main thread under full load, ingestion included, from \`npm run bench -- --profile\`.
Beside it the usage writer and the collector have threads of their own, which the CPU rows of hot count in:

${parts.join('\n')}`;
}

function describeCosts(costs: readonly Cost[]): string {
  return costs
    .map(({ place, share, functions }, i) => {
      const done = DONE.find(([pattern]) => pattern.test(place))?.[1] ?? '';
      const words = i < 3 && done !== '' ? ` What was done: ${done}.` : '';
      return `${i + 1}. **${place}**, ${(share * 100).toFixed(0)}% (${functions.join(', ')}).${words}`;
    })
    .join('\n');
}
