// npx tallycast lab fuzz-http --requests 200000: sends hostile requests over raw sockets. Fails on a crash, a
// long stall, or a 5xx other than 503 with Retry-After.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createRandom } from '../../src/runtime/random.ts';
import { drawRequest } from '../../test/hostile/hostile-requests.ts';
import { type RawAnswer, sendRaw } from '../../test/hostile/raw-http.ts';

const STALL_MS = 200;
const REPORT_EVERY_MS = 10_000;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '400' },
    'wait-ms': { type: 'string', default: '3000' },
  },
});
const server = fork(new URL('./fuzz-http-server.ts', import.meta.url));
const [{ url }] = (await once(server, 'message')) as [{ url: string }];
const port = Number(new URL(url).port);
const random = createRandom(Number(values.seed));
const wanted = Number(values.requests);
const statuses = new Map<number, number>();
const bad: string[] = [];
let sent = 0;
let hasCrashed = false;
server.once('exit', () => (hasCrashed = true));

async function attack(): Promise<void> {
  while (sent < wanted && !hasCrashed) {
    sent += 1;
    const request = drawRequest(random);
    const answer = await sendRaw(port, request, Number(values['wait-ms']));
    for (const status of answer.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (hasFailed(answer))
      bad.push(
        `${request.name}: ${answer.statuses} for ${JSON.stringify(String(request.pieces[0])).slice(0, 300)}`,
      );
  }
}

/** Any 5xx other than 503 with Retry-After is a failure. */
function hasFailed({ statuses, text }: RawAnswer): boolean {
  const failed = statuses.filter((status) => status >= 500);
  if (failed.length === 0) return false;
  const comeAgain = text.match(/^HTTP\/1\.1 503 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*?retry-after: \d+\r\n/gim) ?? [];
  return failed.length > comeAgain.length;
}

const progress = setInterval(
  () => console.error(`${sent} of ${wanted} sent, ${bad.length} returned 5xx`),
  REPORT_EVERY_MS,
);
await Promise.all(Array.from({ length: Number(values.connections) }, attack));
clearInterval(progress);
if (hasCrashed) throw new Error('the service exited');
server.removeAllListeners('exit');
server.send('delay');
const [delay] = (await once(server, 'message')) as [{ maxDelayMs: number; maxWorkMs: number }];
server.send('stop');
await once(server, 'exit');
for (const line of bad.slice(0, 20)) console.log(line);
console.log(
  [...statuses]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
);
console.log(
  `${sent} hostile requests, ${bad.length} returned 5xx, longest stall caused by the service ${delay.maxWorkMs.toFixed(0)} ms, max event-loop delay ${delay.maxDelayMs.toFixed(0)} ms`,
);
process.exitCode = bad.length > 0 || delay.maxWorkMs > STALL_MS ? 1 : 0;
