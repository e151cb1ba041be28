// Serves the Model Context Protocol over Streamable HTTP, in both protocol generations, without sessions.
// Loaded on the first call.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import {
  createMcpHandler,
  type McpRequestContext,
  ProtocolError,
  Server,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { AlertStore } from '../../store/ports.ts';
import type { RawExchange } from '../http/route.ts';
import { callTool } from './call-tool.ts';
import { type AgentAccount, ALERTS_URI, listResources, readResource } from './resources.ts';
import type { AgentTool } from './tools.ts';
import { listPrompts, writePrompt } from './write-skill.ts';

export interface McpOptions {
  tools: readonly AgentTool[];
  accounts: readonly AgentAccount[];
  version: string;
  alerts: Pick<AlertStore, 'listPage'>;
  clock: Clock;
  logger: Logger;
}

export interface McpService {
  /** The caller's `keyId`; null if anonymous. */
  answer(raw: RawExchange, body: Buffer, keyId: string | null): Promise<void>;
  close(): Promise<void>;
}

const INVALID_PARAMS = -32602;
const FIRST_STRUCTURED_VERSION = '2025-06-18';
const MAX_SUBSCRIPTIONS = 100;
const LIST_TTL_MS = 3_600_000;
const INSTRUCTIONS =
  'Counts, forecasts and sized signals for prediction markets on how often accounts post. Start with ' +
  'what_to_trade (PRO) or what_changed (public). Every result starts with a summary in words. PRO calls need an API key in the header X-API-Key or, where ' +
  'the operator accepts them, an x402 payment. Results are short: filter with event_id and action, or use ' +
  'detail "full". Every event has its venue and counting_rule: contracts on one account may count ' +
  'differently. All timestamps are UTC milliseconds. Nothing here places orders; model estimates do not ' +
  'guarantee a profit.';

export function createMcpService(options: McpOptions): McpService {
  const { tools, accounts, version, logger } = options;
  const feed = createAlertFeed(options);
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, tool.formerName ?? tool.name].map((name) => [name, tool])),
  );
  const listed = tools.map(describeTool);

  function createServer({ authInfo, era, requestInfo }: McpRequestContext): Server {
    const ask = authInfo!.extra!.callInside as RawExchange['callInside'];
    const spoken = requestInfo?.headers.get('mcp-protocol-version') ?? '';
    const mode = { isStructured: era === 'modern' || spoken >= FIRST_STRUCTURED_VERSION };
    const server = new Server(
      { name: 'tallycast', title: 'Tallycast', version },
      {
        // Older protocol versions have no streamed listening, so subscriptions would need a session.
        capabilities: { tools: {}, resources: { subscribe: era === 'modern' }, prompts: {} },
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
    server.setRequestHandler('resources/list', () => ({ resources: listResources() }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, accounts, ask));
    server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts() }));
    server.setRequestHandler('prompts/get', ({ params }) => writePrompt(params.name, params.arguments ?? {}));
    return server;
  }

  const handler = createMcpHandler(createServer, {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    bus: feed.bus,
    onerror: (error) => logger.debug({ problem: errorMessage(error) }, 'agent call refused'),
  });

  return {
    async answer(raw, body, keyId) {
      // The caller is already authenticated; this only passes on the function that calls routes for it.
      const authInfo = { token: '', clientId: 'caller', scopes: [], extra: { callInside: raw.callInside } };
      const request = toWebRequest(raw.req, raw.res, body);
      await send(raw, await feed.listenFor(keyId, () => handler.fetch(request, { authInfo })));
    },
    async close() {
      await feed.stop();
      await handler.close();
    },
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

// Notifies listening agents of new alerts for their key. There is one event stream per key, because the SDK's
// events contain only a resource name, which is the same for every key.

interface AlertFeed {
  readonly bus: ServerEventBus;
  /** Listeners started in `work` belong to this key. */
  listenFor<T>(keyId: string | null, work: () => T): T;
  stop(): Promise<void>;
}

/** Alerts are written by the leader, which may be another process, so they are polled. */
const LOOK_EVERY_MS = SECOND_MS;

function createAlertFeed(options: {
  alerts: Pick<AlertStore, 'listPage'>;
  clock: Clock;
  logger: Logger;
}): AlertFeed {
  const { alerts, clock, logger } = options;
  const listening = new AsyncLocalStorage<string | null>();
  const listeners = new Map<(event: ServerEvent) => void, string | null>();
  /** The newest alert announced to each key; null if there was none. */
  const newest = new Map<string, string | null>();

  async function look(): Promise<void> {
    const keyIds = new Set([...listeners.values()].filter((keyId) => keyId !== null));
    for (const keyId of newest.keys()) if (!keyIds.has(keyId)) newest.delete(keyId);
    for (const keyId of keyIds) {
      const [alert] = await alerts.listPage(keyId, { after: null, limit: 1 });
      const alertId = alert?.alertId ?? null;
      const known = newest.get(keyId);
      newest.set(keyId, alertId);
      if (known !== undefined && known !== alertId) publish(keyId);
    }
  }

  function publish(keyId: string): void {
    for (const [listener, owner] of listeners) {
      if (owner === keyId) listener({ kind: 'resource_updated', uri: ALERTS_URI });
    }
  }

  const looking = createRepeat({
    clock,
    pauseMs: LOOK_EVERY_MS,
    run: look,
    onError: (error) => logger.warn({ problem: errorMessage(error) }, 'alert polling failed'),
  });

  return {
    bus: {
      // Publish only to this key's listeners.
      publish: () => {},
      subscribe(listener) {
        listeners.set(listener, listening.getStore() ?? null);
        void looking.start();
        looking.wake();
        return () => void listeners.delete(listener);
      },
    },
    listenFor: (keyId, work) => listening.run(keyId, work),
    stop: looking.stop,
  };
}
