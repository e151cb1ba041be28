// The lower bound: node:http with one prepared Buffer. Run as: node bare.ts BODY_FILE

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = readFileSync(process.argv[2]!);
const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
const server = createServer((_req, res) => {
  res.writeHead(200, headers);
  res.end(body);
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.disconnect();
});
