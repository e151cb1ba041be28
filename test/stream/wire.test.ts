// The live stream on the wire: chunked for HTTP/1.1, plain for HTTP/1.0, and after earlier responses on the
// same connection.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from '../api/harness.ts';
import { publishChange } from '../support/publish-change.ts';

let harness: Harness;
const sockets: Socket[] = [];

before(async () => {
  harness = await startHarness();
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await harness.close();
});

/** Sends the text and returns the response once it matches `until`. */
function converse(text: string) {
  const socket = connect(harness.port, '127.0.0.1', () => socket.write(text));
  sockets.push(socket);
  let heard = '';
  const waiting = new Set<() => void>();
  socket.on('data', (bytes) => {
    heard += bytes;
    for (const check of waiting) check();
  });
  return {
    socket,
    until: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const check = () => {
          if (!pattern.test(heard)) return;
          waiting.delete(check);
          resolve(heard);
        };
        waiting.add(check);
        check();
      }),
  };
}

const ask = (path: string, version: string) =>
  `GET /api/v1${path} HTTP/${version}\r\nHost: 127.0.0.1\r\nX-API-Key: ${harness.keys.PRO}\r\n\r\n`;

function publishCount(real: number): void {
  const now = harness.board.find('a')!;
  const events = now.events.map((state) => ({ ...state, counters: { ...state.counters, real } }));
  publishChange(harness.board, 'a', { events });
}

describe('the live stream on the wire', () => {
  it('has complete chunks for HTTP/1.1, one per snapshot', async () => {
    const { until } = converse(ask('/stream/account_a', '1.1'));
    await until(/event: snapshot/);
    publishCount(71);
    const text = await until(/"real_counter":71[\s\S]*\n\n\r\n$/);
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    const pieces = readPieces(body);
    assert.match(text, /Transfer-Encoding: chunked/i);
    assert.equal(pieces.length, 2);
    assert.match(pieces[0]!, /^id: \d+-1000000\nevent: snapshot\n/);
    assert.ok(pieces[1]!.split('event: counters').length > 2);
    assert.ok(pieces[1]!.endsWith('\n\n'));
  });

  it('is not chunked for HTTP/1.0', async () => {
    const { until } = converse(ask('/stream/account_a', '1.0'));
    await until(/event: snapshot/);
    publishCount(72);
    const text = await until(/"real_counter":72/);
    assert.doesNotMatch(text, /Transfer-Encoding/i);
    assert.match(text, /\r\n\r\nid: /);
    assert.match(text, /\n\nid: \d+-\d+\nevent: counters\n/);
  });

  it('starts after the previous response, even if the requests are pipelined', async () => {
    const { until } = converse(
      ask('/meta/account_a/tweets?limit=90', '1.1') + ask('/stream/account_a', '1.1'),
    );
    await until(/event: snapshot/);
    publishCount(73);
    const text = await until(/"real_counter":73/);
    assert.equal(text.split('HTTP/1.1 200 OK').length, 3);
    assert.ok(text.indexOf('"tweet_id"') < text.indexOf('text/event-stream'));
  });

  it('ends for a client that closes its side', async () => {
    const { socket, until } = converse(ask('/stream/account_a', '1.1'));
    await until(/event: snapshot/);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end();
    await closed;
    publishCount(74);
    assert.doesNotMatch(await until(/event: snapshot/), /"real_counter":74/);
  });
});

/** Fails on an incomplete chunk. */
function readPieces(body: string): string[] {
  const pieces: string[] = [];
  let rest = Buffer.from(body);
  while (rest.length > 0) {
    const lineEnd = rest.indexOf('\r\n');
    const length = Number.parseInt(rest.toString('latin1', 0, lineEnd), 16);
    const end = lineEnd + 2 + length;
    assert.equal(rest.toString('latin1', end, end + 2), '\r\n');
    pieces.push(rest.toString('utf8', lineEnd + 2, end));
    rest = rest.subarray(end + 2);
  }
  return pieces;
}
