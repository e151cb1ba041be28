// The same load as load.c, for machines without a compiler. Run as: node load-client.ts PORT CONNECTIONS
// SECONDS REQUESTS_FILE

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { quantile } from '../core/statistics.ts';

const [port, connections, seconds, file] = process.argv.slice(2);
const requests = readFileSync(file!, 'latin1')
  .split('\0')
  .filter((text) => text !== '')
  .map((text) => Buffer.from(text, 'latin1'));
const latenciesMs: number[] = [];
let next = 0;
let failed = 0;
let endMs = Infinity;

function open(): Promise<() => void> {
  let socket: Socket;
  let head = '';
  let left = -1;
  let sentMs = 0;

  function ask(): void {
    head = '';
    left = -1;
    sentMs = performance.now();
    socket.write(requests[next++ % requests.length]!);
  }

  function take(bytes: number, buffer: Uint8Array): boolean {
    if (left >= 0) left -= bytes;
    else readHead(Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
    if (left !== 0) return true;
    const nowMs = performance.now();
    latenciesMs.push(nowMs - sentMs);
    if (nowMs < endMs) ask();
    else socket.destroy();
    return true;
  }

  function readHead(chunk: Buffer): void {
    head += chunk.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const status = head.slice(9, 12);
    if (status !== '200' && status !== '304') failed += 1;
    const length = status === '304' ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    left = length - (head.length - end - 4);
  }

  return new Promise((resolve) => {
    socket = connect(
      {
        port: Number(port),
        host: '127.0.0.1',
        onread: { buffer: Buffer.allocUnsafe(65_536), callback: take },
      },
      () => resolve(ask),
    );
    socket.setNoDelay(true);
  });
}

const starts = await Promise.all(Array.from({ length: Number(connections) }, open));
const startMs = performance.now();
endMs = startMs + Number(seconds) * 1000;
for (const start of starts) start();
process.once('beforeExit', () => {
  const tookS = (performance.now() - startMs) / 1000;
  const p50Ms = quantile(latenciesMs, 0.5);
  const p99Ms = quantile(latenciesMs, 0.99);
  console.log(JSON.stringify({ requests: latenciesMs.length, seconds: tookS, failed, p50Ms, p99Ms }));
});
