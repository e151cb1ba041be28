// Parsers of request data other than query and body: request heads, cache validators, agent messages.

import { EventEmitter } from 'node:events';
import { silentLogger } from '../../src/runtime/logger.ts';
import { countMessages } from '../../src/server/endpoints/mcp.ts';
import { joinHeaders, readPlainRequest } from '../../src/server/http/plain-request.ts';
import { isUnchanged } from '../../src/server/http/prepared-body.ts';
import { readHead } from '../../src/server/http/read-head.ts';
import type { RawExchange } from '../../src/server/http/route.ts';
import { createMcpService } from '../../src/server/mcp/serve-mcp.ts';
import { type ParserTarget, text } from './parser-target.ts';

const HEAD =
  'GET /api/v1/meta/account_a?limit=1 HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\nAccept: */*\r\nIf-None-Match: "b"\r\n' +
  'Accept-Encoding: gzip\r\nX-Forwarded-For: 192.0.2.1, 192.0.2.2\r\nConnection: keep-alive\r\n\r\n';
const ETAG = 'W/"q1w2e3r4t5y6u7i8o9p0"';
const MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'get_counters', arguments: { a: 1 } } },
  {
    ...{ jsonrpc: '2.0', id: 2, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'n', version: '1' } },
  },
  { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'tallycast://account_a' } },
];

export function httpTargets(): ParserTarget[] {
  return [
    text('request head', [HEAD], readHeadOf),
    text('if-none-match', [ETAG, `"a", W/"b", ${ETAG.slice(2)}`, '*'], (input) => isUnchanged(input, ETAG)),
    {
      name: 'agent messages',
      kind: 'json',
      samples: [...MESSAGES, MESSAGES],
      run: (input) => answerMessages(Buffer.from(JSON.stringify(input) ?? '')),
    },
  ];
}

function readHeadOf(input: string): unknown {
  const request = readPlainRequest(Buffer.from(input, 'latin1'));
  if (request === null) return null;
  const head = { apiKey: '', accept: '', acceptEncoding: '', ifNoneMatch: '', forwardedFor: '' };
  readHead(request.rawHeaders, head);
  return [head, joinHeaders(request.rawHeaders)];
}

const agents = createMcpService({ tools: [], version: '0', logger: silentLogger });

/** An agent must get a protocol response, never a 500. */
async function answerMessages(body: Buffer): Promise<void> {
  if (countMessages(body) > 20) return;
  const seen = { status: 0 };
  const res = Object.assign(new EventEmitter(), {
    destroyed: false,
    writeHead: (status: number) => void (seen.status = status),
    write: () => true,
    end: () => {},
  });
  const req = {
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  };
  const raw = { req, res, headers: () => ({}), countBytes() {}, callInside: () => refuse() };
  await agents.answer(raw as unknown as RawExchange, body);
  res.emit('close');
  if (seen.status >= 500) throw new Error(`responded with ${seen.status}`);
}

async function refuse(): Promise<never> {
  throw new Error('unexpected route call');
}
