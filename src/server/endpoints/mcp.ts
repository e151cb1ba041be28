// Model Context Protocol at /mcp. Every message counts as one request, even in a batch, so that batching does
// not raise the limit.

import type { Identity } from '../../access/key-directory.ts';
import { Type } from '../../contract/schema.ts';
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

  function openService(): Promise<McpService> {
    service ??= import('../mcp/serve-mcp.ts').then(({ createMcpService }) =>
      createMcpService({
        tools,
        accounts: context.accounts,
        version: context.build.version,
        alerts: context.store.alerts,
        clock: context.wallClock,
        logger: context.logger,
      }),
    );
    return service;
  }

  const listening = createListeners();

  /** An agent's open stream ends when its key is revoked or expires. */
  async function answer(raw: RawExchange, body: Buffer, identity: Identity | null): Promise<void> {
    const forget = identity && context.onKeyEnd(identity, () => raw.res.destroy());
    raw.res.once('close', () => forget?.());
    await (await openService()).answer(raw, body, identity?.keyId ?? null);
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
      async takeOver({ identity }, raw) {
        const body = await readBytes(raw, limitBytes);
        const refusal =
          body === null
            ? errorAnswer(413, `The body is larger than ${limitBytes} bytes`)
            : ((await chargeBatch(raw, body)) ?? listening.admit(raw, body, identity));
        if (refusal !== null) refuse(raw, refusal);
        else await answer(raw, body!, identity);
      },
    }),
  ];
}

/** Maximum messages per body. */
const MAX_MESSAGES = 20;

async function chargeBatch(raw: RawExchange, body: Buffer): Promise<Answer | null> {
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

/** Maximum concurrent listeners per key, because the total is limited too. */
const MAX_LISTENING = 8;
const LISTEN = 'subscriptions/listen';

/** Only alerts can be streamed, and they need PRO; other listeners would waste the limited slots. */
function createListeners() {
  const ofKey = new Map<string, number>();
  return {
    admit({ res }: RawExchange, body: Buffer, identity: Identity | null): Answer | null {
      const isListening = readMessages(body).some(
        (message) => (message as { method?: unknown } | null)?.method === LISTEN,
      );
      if (!isListening) return null;
      if (identity === null || identity.tier === 'FREE')
        return errorAnswer(401, 'Listening requires a PRO key in the X-API-Key header');
      const { keyId } = identity;
      const open = ofKey.get(keyId) ?? 0;
      if (open >= MAX_LISTENING)
        return errorAnswer(429, `A key may have at most ${MAX_LISTENING} concurrent listeners`, {
          'Retry-After': '60',
        });
      ofKey.set(keyId, open + 1);
      res.once('close', () => {
        const left = ofKey.get(keyId)! - 1;
        if (left === 0) ofKey.delete(keyId);
        else ofKey.set(keyId, left);
      });
      return null;
    },
  };
}

function refuse({ res, headers }: RawExchange, { status, json, headers: own }: Answer): void {
  res.writeHead(status, { ...headers(), ...own, 'Content-Type': 'application/json' });
  res.end(JSON.stringify(json));
}
