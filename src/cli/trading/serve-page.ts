// Serves the read-only Trading page on loopback only, and reads the journal on every request.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '../../runtime/errors.ts';
import { readNumberWithin } from '../arguments.ts';
import { note, type Terminal } from '../command.ts';
import { untilStopped } from '../until-stopped.ts';
import { exportTrading, renderTrading } from './manage.ts';
import type { TradeValues } from './options.ts';

const DEFAULT_PORT = 8090;
const HOST = '127.0.0.1';
/** Any other host name means another site's page points here (DNS rebinding). */
const OWN_NAME = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

export async function serveTradingPage(values: TradeValues, terminal: Terminal): Promise<void> {
  const port =
    typeof values.port === 'string' ? readNumberWithin('--port', values.port, 0, 65_535) : DEFAULT_PORT;
  const server = createServer((request, response) => answer(values, request, response));
  server.listen(port, HOST);
  await once(server, 'listening');
  note(terminal, `open http://${HOST}:${(server.address() as AddressInfo).port}/`);
  await untilStopped(terminal.stopSignal());
  server.closeAllConnections();
  server.close();
}

function answer(values: TradeValues, request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, type: string, body: string) =>
    response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
  if (!OWN_NAME.test(request.headers.host ?? '')) return void send(421, 'text/plain', 'This machine only.\n');
  if (request.method !== 'GET') return void send(405, 'text/plain', 'GET only.\n');
  try {
    if (request.url === '/') send(200, 'text/html', renderTrading(values));
    else if (request.url === '/fills.csv') send(200, 'text/csv', exportTrading(values, false));
    else if (request.url === '/equity.csv') send(200, 'text/csv', exportTrading(values, true));
    else send(404, 'text/plain', 'Not found.\n');
  } catch (error) {
    send(500, 'text/plain', `${errorMessage(error)}\n`);
  }
}
