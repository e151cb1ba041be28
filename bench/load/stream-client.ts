// Many readers of one stream in a process of their own. Notes when each reader saw each version, on the machine's clock.
// node stream-client.ts PORT PATH KEY READERS

import { connect } from 'node:net';
import { rawRequest } from './generate.ts';

const [port, path, key, readers] = process.argv.slice(2);
const request = rawRequest(path!, { 'X-API-Key': key!, Accept: 'text/event-stream' });
/** version -> arrival times, milliseconds of the monotonic clock. */
const arrivals = new Map<number, number[]>();
let lost = 0;

function open(): Promise<void> {
  const seen = new Set<number>();
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' }, () => socket.write(request));
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => {
      lost += 1;
    });
    socket.on('data', (chunk) => {
      const nowMs = Number(process.hrtime.bigint()) / 1e6;
      for (const [, version] of String(chunk).matchAll(/^id: (\d+)/gm)) note(seen, Number(version), nowMs);
      if (seen.size > 0) resolve();
    });
  });
}

function note(seen: Set<number>, version: number, nowMs: number): void {
  if (seen.has(version)) return;
  seen.add(version);
  const times = arrivals.get(version);
  if (times) times.push(nowMs);
  else arrivals.set(version, [nowMs]);
}

const BATCH = 50;
for (let i = 0; i < Number(readers); i += BATCH) {
  await Promise.all(Array.from({ length: Math.min(BATCH, Number(readers) - i) }, open));
}
process.on('message', () => process.send!({ arrivals: [...arrivals], lost }));
process.once('SIGTERM', () => process.exit(0));
process.send!({ kind: 'up' });
