// Serves the Model Context Protocol over Streamable HTTP, in both protocol generations, without sessions.
// Loaded on the first call.

import type { IncomingMessage } from 'node:http';
import {
  createMcpHandler,
  type McpRequestContext,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { RawExchange } from '../http/route.ts';
import { callTool, type Mode } from './call-tool.ts';
import type { AgentTool } from './tools.ts';

export interface McpOptions {
  tools: readonly AgentTool[];
  version: string;
  logger: Logger;
  findTitle?: Mode['findTitle'];
  isStarting?: Mode['isStarting'];
}

export interface McpService {
  answer(raw: RawExchange, body: Buffer): Promise<void>;
  close(): Promise<void>;
}

const INVALID_PARAMS = -32602;
const FIRST_STRUCTURED_VERSION = '2025-06-18';
const LIST_TTL_MS = 3_600_000;
const INSTRUCTIONS =
  'Counts, forecasts and sized signals for prediction markets on how often accounts post. Start with ' +
  'what_to_trade (PRO) or what_changed (public). Every result starts with a summary in words. PRO calls need an API key in the header X-API-Key or, where ' +
  'the operator accepts them, an x402 payment. Results are short: filter with event_id and action, or use ' +
  'detail "full". Every event has its venue and counting_rule: contracts on one account may count ' +
  'differently. All timestamps are UTC milliseconds. Nothing here places orders; model estimates do not ' +
  'guarantee a profit.';

export function createMcpService({ tools, version, logger, findTitle, isStarting }: McpOptions): McpService {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map(describeTool);

  function createServer({ authInfo, era, requestInfo }: McpRequestContext): Server {
    const ask = authInfo!.extra!.callInside as RawExchange['callInside'];
    const spoken = requestInfo?.headers.get('mcp-protocol-version') ?? '';
    const isStructured = era === 'modern' || spoken >= FIRST_STRUCTURED_VERSION;
    const mode: Mode = { isStructured, findTitle, isStarting };
    const server = new Server(
      { name: 'tallycast', title: 'Tallycast', version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listed }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = byName.get(params.name);
      if (!tool) throw new ProtocolError(INVALID_PARAMS, `Unknown tool ${params.name}`);
      return callTool(tool, { arguments: params.arguments ?? {}, meta: params._meta ?? {} }, ask, mode);
    });
    return server;
  }

  const handler = createMcpHandler(createServer, {
    onerror: (error) => logger.debug({ problem: errorMessage(error) }, 'agent call refused'),
  });

  return {
    async answer(raw, body) {
      // The caller is already authenticated; this only passes on the function that calls routes for it.
      const authInfo = { token: '', clientId: 'caller', scopes: [], extra: { callInside: raw.callInside } };
      const request = toWebRequest(raw.req, raw.res, body);
      await send(raw, await handler.fetch(request, { authInfo }));
    },
    close: () => handler.close(),
  };
}

function describeTool({ name, title, description, inputSchema, outputSchema }: AgentTool) {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

function toWebRequest(req: IncomingMessage, res: RawExchange['res'], body: Buffer): Request {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  // The Host header may be invalid; nothing here depends on it.
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    signal: gone.signal,
  });
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

async function send({ res, headers, countBytes }: RawExchange, response: Response): Promise<void> {
  if (res.destroyed) return;
  res.writeHead(response.status, {
    ...headers(),
    // Keep-alive is handled by this server, not by the protocol.
    ...Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name))),
    Vary: 'X-API-Key',
  });
  if (response.body === null) {
    res.end();
    return;
  }
  for await (const chunk of response.body) {
    countBytes(chunk.length);
    if (!res.write(chunk)) await drained(res);
    if (res.destroyed) break;
  }
  res.end();
}

function drained(res: RawExchange['res']): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
