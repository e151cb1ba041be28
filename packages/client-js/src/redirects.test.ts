// A service that redirects to another host: two real servers, with checks on what the second one receives.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { RedirectedError } from './errors.ts';
import { createTallycast } from './tallycast.ts';

const KEY = 'tc_pro_secret';

async function serve(onRequest: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(onRequest).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

for (const status of [301, 302, 303, 307, 308]) {
  describe(`redirect with ${status} to another host`, () => {
    const received: IncomingMessage[] = [];
    let other: { server: Server; url: string };
    let service: { server: Server; url: string };
    before(async () => {
      other = await serve((request, response) => {
        received.push(request);
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
      service = await serve((request, response) =>
        response.writeHead(status, { Location: `${other.url}${request.url}` }).end(),
      );
    });
    after(() => {
      for (const { server } of [other, service]) {
        server.closeAllConnections();
        server.close();
      }
    });

    const client = () => createTallycast({ url: service.url, apiKey: KEY, retries: 0 });
    const isTold = (error: unknown) => {
      assert.ok(error instanceof RedirectedError, String(error));
      assert.equal(error.status, status);
      assert.ok(error.location!.startsWith(other.url));
      assert.match(error.message, /redirected to http:.*set the client's url/);
      return true;
    };

    it('forwards neither key nor body', async () => {
      await assert.rejects(client().signals('account_a'), isTold);
      const body = { type: 'human', case: 'bots', email: 'me@example.org' } as const;
      await assert.rejects(client().joinWaitlist(body), isTold);
      assert.equal(received.length, 0);
    });

    it('does not forward the key from a stream', async () => {
      await assert.rejects(client().stream('account_a').next(), isTold);
      assert.equal(received.length, 0);
    });
  });
}
