// Many readers of one stream in a separate process. Records how many readers saw each post, and how late. Run
// as: node stream-client.ts PORT PATH READERS KEYS

import { connect } from 'node:net';
import { rawRequest } from './generate.ts';

const [port, path, readers, keyList] = process.argv.slice(2);
const keys = keyList!.split(',');
const POST = Buffer.from('\nevent: post\ndata: {"tweet_id":"');
const LONGEST_ID = 64;
/** Post id -> arrival times, milliseconds since the epoch. */
const arrivals = new Map<string, number[]>();
let lost = 0;
let reads = 0;
let bytesRead = 0;
let isLeaving = false;

function open(reader: number): Promise<void> {
  const request = rawRequest(path!, {
    'X-API-Key': keys[reader % keys.length]!,
    Accept: 'text/event-stream',
  });
  /** Trailing bytes that may be the start of a post message. */
  let rest: Uint8Array = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const take = (bytes: number, buffer: Uint8Array): boolean => {
      const nowMs = Date.now();
      reads += 1;
      bytesRead += bytes;
      const text = Buffer.concat([rest, buffer.subarray(0, bytes)]);
      const seenUntil = notePosts(text, nowMs);
      rest = Buffer.from(text.subarray(Math.max(seenUntil, text.length - POST.length - LONGEST_ID)));
      resolve();
      return true;
    };
    const socket = connect(
      { port: Number(port), host: '127.0.0.1', onread: { buffer: shared, callback: take } },
      () => socket.write(request),
    );
    socket.on('error', reject);
    socket.on('close', () => {
      if (!isLeaving) lost += 1;
      resolve();
    });
  });
}

/** The chunk is consumed before the next read, so one buffer is enough. */
const shared = Buffer.allocUnsafeSlow(262_144);

/** Returns the offset after the last complete post. */
function notePosts(text: Buffer, nowMs: number): number {
  let end = 0;
  for (let at = text.indexOf(POST); at >= 0; at = text.indexOf(POST, end)) {
    const from = at + POST.length;
    const to = text.indexOf('"', from);
    if (to < 0) return at;
    const postId = text.toString('latin1', from, to);
    const times = arrivals.get(postId);
    if (times) times.push(nowMs);
    else arrivals.set(postId, [nowMs]);
    end = to;
  }
  return end;
}

const BATCH = 50;
for (let i = 0; i < Number(readers); i += BATCH) {
  const length = Math.min(BATCH, Number(readers) - i);
  await Promise.all(Array.from({ length }, (_, j) => open(i + j)));
}
process.on('message', () => process.send!({ arrivals: [...arrivals], lost, reads, bytes: bytesRead }));
process.once('SIGTERM', () => {
  isLeaving = true;
  process.exit(0);
});
process.send!({ kind: 'up' });
