// Profiles the hot endpoint under load and draws where its time goes.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../core/bench.ts';
import { ask, ROOT } from '../core/processes.ts';
import { generateLoad, rawRequest } from '../load/generate.ts';
import { startInterface } from '../servers/start-interface.ts';
import { buildFrames, type Cost, type CpuProfile, drawFlameGraph, listCosts } from './flame-graph.ts';

const IMAGE = 'docs/img/hot-endpoint-flame.svg';
const PATH = '/api/v1/prediction/account_a';

/** Draws the picture; the words go into the page of results. */
export async function profileHotEndpoint(options: BenchOptions): Promise<string> {
  const file = join(options.scratchDir, 'hot.cpuprofile');
  const ours = await startInterface(options);
  options.say('profiling the hot endpoint');
  const requests = [rawRequest(PATH, { 'X-API-Key': ours.hello.keys.PRO })];
  const load = { port: ours.hello.port, requests, seconds: options.isQuick ? 1 : 10 };
  await generateLoad(options.scratchDir, { ...load, seconds: 1 });
  await ask(ours, { kind: 'start-profile' });
  const { requests: sent } = await generateLoad(options.scratchDir, load);
  await ask(ours, { kind: 'stop-profile', file });
  await ours.stop();
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const root = buildFrames(profile);
  mkdirSync(join(ROOT, 'docs/img'), { recursive: true });
  const title = `GET ${PATH}, PRO key: ${(root.totalUs / sent).toFixed(1)} µs on the main thread per request, profiler on`;
  writeFileSync(join(ROOT, IMAGE), drawFlameGraph(root, title));
  options.say(`wrote ${IMAGE}`);
  return describeCosts(listCosts(root).slice(0, 8));
}

/** What was done about each place that has ever been among the largest. */
const DONE: [RegExp, string][] = [
  [
    /^socket writes/,
    'one write per answer: a body up to 8 kB is kept as a string behind its head so that both leave in one call, a longer one goes out with its head by one writev, without a copy; the bare server pays the same',
  ],
  [
    /^garbage collection/,
    'nothing is allocated in limiter, usage ring and meter, and bodies and heads live for a second; what is left are the request and response objects of the platform',
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
    'timers and callbacks of the platform: no timer per request of ours, the clock is read once',
  ],
  [/^node:events/, 'events of the platform: no listener is added per request on the hot path'],
  [
    /^src\/api\/http\/sender/,
    'heads are prepared per body and per second; only rate lines and the request id are made per answer',
  ],
  [/^src\/api\/usage/, 'columns of typed arrays, filled in place and handed to the writer thread as columns'],
  [
    /^src\/api\/access/,
    'keys by cached text, one digest per new key; the limiter is a ring of slots per caller',
  ],
  [/^src\//, 'ours: bodies are prepared once per second and tier'],
];

function describeCosts(costs: readonly Cost[]): string {
  const lines = costs.map(({ place, share, functions }, i) => {
    const done = DONE.find(([pattern]) => pattern.test(place))?.[1] ?? '';
    const words = i < 3 && done !== '' ? ` What was done: ${done}.` : '';
    return `${i + 1}. **${place}**, ${(share * 100).toFixed(0)}% (${functions.join(', ')}).${words}`;
  });
  return `## Where the time of the hot endpoint goes

![Flame graph of the hot endpoint](img/hot-endpoint-flame.svg)

Self time by module of the interface alone (no ingestion) under full load, PRO prediction, main thread, from \`npm run bench -- --profile\`; the first three are
the largest costs:

${lines.join('\n')}
`;
}
