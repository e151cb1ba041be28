// Profiles the hot endpoint under load and draws where its time goes.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../core/bench.ts';
import { ROOT, startScript } from '../core/processes.ts';
import { generateLoad, rawRequest } from '../load/generate.ts';
import type { OursHello } from '../servers/ours.ts';
import { buildFrames, type Cost, type CpuProfile, drawFlameGraph, listCosts } from './flame-graph.ts';

const IMAGE = 'docs/img/hot-endpoint-flame.svg';
const COSTS = 'docs/img/hot-endpoint-costs.md';
const PATH = '/api/v1/prediction/account_a';

export async function profileHotEndpoint(options: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(options.scratchDir, 'profile-'));
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'];
  const ours = await startScript<OursHello>('bench/servers/ours.ts', [await options.snapshotFile()], flags);
  options.say('profiling the hot endpoint');
  const requests = [rawRequest(PATH, { 'X-API-Key': ours.hello.keys.PRO })];
  const load = { port: ours.hello.port, requests, seconds: options.isQuick ? 1 : 10 };
  const { requests: sent } = await generateLoad(options.scratchDir, load);
  await ours.stop();
  const profile = readLargest(folder);
  const root = buildFrames(profile);
  mkdirSync(join(ROOT, 'docs/img'), { recursive: true });
  const title = `GET ${PATH}, PRO key: ${(root.totalUs / sent).toFixed(1)} µs on the main thread per request, profiler on`;
  writeFileSync(join(ROOT, IMAGE), drawFlameGraph(root, title));
  writeFileSync(join(ROOT, COSTS), describeCosts(listCosts(root).slice(0, 8)));
  options.say(`wrote ${IMAGE}`);
}

/** The writer thread has a profile of its own; the one with the most samples is the main thread's. */
function readLargest(folder: string): CpuProfile {
  const profiles = readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile);
  const work = (profile: CpuProfile) => buildFrames(profile).totalUs;
  return profiles.sort((a, b) => work(b) - work(a))[0]!;
}

/** What was done about each place that has ever been among the largest. */
const DONE: [RegExp, string][] = [
  [
    /^engine and kernel/,
    'system calls and the engine: one write per answer (head and body as one string up to 8 kB, latin1, no copy per header), no allocation in limiter and usage ring so that the collector has little to do; what is left is one read, one write and one wake-up per request',
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

Self time by module under full load, PRO prediction, main thread, from \`npm run bench -- --profile\`; the first three are
the largest costs:

${lines.join('\n')}
`;
}
