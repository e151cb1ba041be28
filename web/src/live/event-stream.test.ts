import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createMessageParser, nextDelayMs, openEventStream, type StreamMessage } from './event-stream.ts';

function parse(...chunks: string[]): StreamMessage[] {
  const messages: StreamMessage[] = [];
  const parser = createMessageParser((message) => messages.push(message));
  for (const chunk of chunks) parser.feed(chunk);
  return messages;
}

describe('the event-stream grammar', () => {
  it('reads id, event and data', () => {
    assert.deepEqual(parse('id: 7\nevent: post\ndata: {"a":1}\n\n'), [
      { id: '7', event: 'post', data: '{"a":1}' },
    ]);
  });

  it('reads the same message however it is cut', () => {
    const text = 'id: 7\r\nevent: post\r\ndata: one\r\ndata: two\r\n\r\n: beat\r\n\r\ndata: x\r\n\r\n';
    const whole = parse(text);
    for (let cut = 1; cut < text.length; cut++) {
      assert.deepEqual(parse(text.slice(0, cut), text.slice(cut)), whole);
    }
    assert.deepEqual(
      whole.map(({ data }) => data),
      ['one\ntwo', 'x'],
    );
  });

  it('skips comments, and messages without data', () => {
    assert.deepEqual(parse(': beat\n\nevent: feed\n\n'), []);
  });

  it('keeps the last id for messages that bring none', () => {
    assert.deepEqual(
      parse('id: 3\ndata: a\n\ndata: b\n\n').map(({ id }) => id),
      ['3', '3'],
    );
  });

  it('holds an unfinished message back', () => {
    assert.deepEqual(parse('data: a\n'), []);
  });
});

describe('the wait before reconnecting', () => {
  it('doubles to half a minute and never goes beyond', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 20].map((attempt) => nextDelayMs(attempt, 1));
    assert.deepEqual(longest, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is at least half of its ceiling', () => {
    assert.equal(nextDelayMs(3, 0), 4000);
  });
});

describe('a stream', () => {
  it('lets go when paused and resumes behind the last message it saw', async () => {
    const lastIds: (string | undefined)[] = [];
    const ended = Promise.withResolvers<void>();
    const answer = (response: ServerResponse, id: number) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: ${id}\nevent: post\ndata: {}\n\n`);
      response.on('close', () => ended.resolve());
    };
    const server = createServer((request, response) => {
      lastIds.push(request.headers['last-event-id'] as string | undefined);
      answer(response, lastIds.length);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const states: string[] = [];
    const stream = openEventStream({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      headers: () => ({}),
      onMessage: ({ id }) => heard[Number(id) - 1]?.resolve(),
      onState: ({ kind }) => states.push(kind),
    });
    await heard[0]!.promise;
    stream.pause();
    await ended.promise;
    stream.resume();
    await heard[1]!.promise;
    stream.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(lastIds, [undefined, '1']);
    assert.deepEqual(states, ['connecting', 'open', 'connecting', 'open']);
  });
});
