import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { openEventStream } from './event-stream.ts';

describe('event stream', () => {
  it('disconnects when paused and resumes after the last message', async () => {
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
