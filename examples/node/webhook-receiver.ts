// Receives webhooks, verifies their signatures and prints the valid ones.
//
//   WEBHOOK_SECRET=whsec_... PORT=9000 node examples/node/webhook-receiver.ts
// The secret is shown once, when the channel is created (POST /api/v1/channels). In production the
// receiver needs a public https address; the service delivers only to such addresses.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../packages/client-js/src/index.ts';

const secret = process.env.WEBHOOK_SECRET;
if (!secret)
  throw new Error('WEBHOOK_SECRET is missing. Set it to the secret shown when the webhook was registered.');

const server = createServer(async (request, response) => {
  const body = await readText(request);
  try {
    const notice = await verifyWebhook(secret, request.headers, body);
    console.log(`${notice.type} ${notice.account} ${JSON.stringify(notice.data)}`);
    response.writeHead(204).end();
  } catch (error) {
    console.log(`rejected: ${error instanceof Error ? error.message : error}`);
    response.writeHead(400).end();
  }
});

server.listen(Number(process.env.PORT ?? 9000), () => {
  console.log(`listening on port ${(server.address() as AddressInfo).port}`);
});

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
