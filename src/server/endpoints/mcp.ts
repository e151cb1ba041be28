// Model Context Protocol at /mcp. Every message counts as one request, even in a batch, so that batching does
// not raise the limit.

import { Type } from '../../contract/schema.ts';
import { findFeed } from '../../domain/feed.ts';
import type { RouteContext } from '../context.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/error-responses.ts';
import { readBytes } from '../http/read-body.ts';
import { defineRoute, type RawExchange, type Route } from '../http/route.ts';
import type { McpService } from '../mcp/serve-mcp.ts';
import { listTools } from '../mcp/tools.ts';

export function mcpRoutes(context: RouteContext, published: readonly Route[]): Route[] {
  const segments = context.accounts.map(({ segment }) => segment);
  const tools = listTools(published, segments);
  const limitBytes = context.settings.bodyLimitBytes;
  let service: Promise<McpService> | null = null;

  function findTitle(eventId: number): string | undefined {
    const states = context.accounts.flatMap(({ accountId }) => context.board.find(accountId)?.events ?? []);
    return states.find(({ event }) => event.eventId === eventId)?.event.title;
  }

  /** Until each account's markets have been listed and forecast, and its past posts read. */
  function isStarting(): boolean {
    return context.accounts.some(({ accountId }) => {
      const { feeds, events, isPastMissing } = context.board.find(accountId) ?? {};
      if (!feeds || !events || isPastMissing || !findFeed(feeds, 'market')?.updatedTs) return true;
      return events.length > 0 && events.every(({ forecast }) => !forecast);
    });
  }

  function openService(): Promise<McpService> {
    service ??= import('../mcp/serve-mcp.ts').then(({ createMcpService }) =>
      createMcpService({
        tools,
        version: context.build.version,
        logger: context.logger,
        findTitle,
        isStarting,
      }),
    );
    return service;
  }

  context.onClose(async () => (await service)?.close());
  return [
    defineRoute({
      method: 'POST',
      path: '/mcp',
      access: 'optional',
      document: {
        operationId: 'mcp',
        tag: 'Agents',
        summary: 'Model Context Protocol, Streamable HTTP',
        ok: Type.Any(),
        isPage: true,
      },
      async takeOver(_call, raw) {
        const body = await readBytes(raw, limitBytes);
        const refusal =
          body === null
            ? errorAnswer(413, `The body is larger than ${limitBytes} bytes`)
            : (chargeBatch(raw, body) ?? refuseListening(body));
        if (refusal !== null) refuse(raw, refusal);
        else await (await openService()).answer(raw, body!);
      },
    }),
  ];
}

/** Maximum messages per body. */
const MAX_MESSAGES = 20;

function chargeBatch(raw: RawExchange, body: Buffer): Answer | null {
  const messages = countMessages(body);
  if (messages > MAX_MESSAGES) return errorAnswer(400, `A batch may have at most ${MAX_MESSAGES} messages`);
  return messages > 1 ? raw.chargeMore(messages - 1) : null;
}

/** The protocol layer rejects invalid JSON. */
export function countMessages(body: Buffer): number {
  return readMessages(body).length;
}

function readMessages(body: Buffer): unknown[] {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [null];
  }
}

/** A listener would wait for ever on an open connection: tools and their results never announce a change. */
function refuseListening(body: Buffer): Answer | null {
  const isListening = readMessages(body).some(
    (message) => (message as { method?: unknown } | null)?.method === 'subscriptions/listen',
  );
  return isListening
    ? errorAnswer(400, 'There is nothing to listen to. Call what_changed, or read /stream')
    : null;
}

function refuse({ res, headers }: RawExchange, { status, json, headers: own }: Answer): void {
  res.writeHead(status, { ...headers(), ...own, 'Content-Type': 'application/json' });
  res.end(JSON.stringify(json));
}
