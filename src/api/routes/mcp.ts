// Agents: the Model Context Protocol at /mcp. A tool call counts as a call of the route behind it; the
// protocol's own messages use up nothing.

import type { RouteContext } from '../context.ts';
import { Type } from '../contract/schema.ts';
import { errorAnswer } from '../error-responses.ts';
import { readBytes } from '../http/read-body.ts';
import type { McpService } from '../mcp/serve-mcp.ts';
import { listTools } from '../mcp/tools.ts';
import { defineRoute, type RawExchange, type Route } from '../route.ts';

export function mcpRoutes(context: RouteContext, published: readonly Route[]): Route[] {
  const segments = context.accounts.map(({ segment }) => segment);
  const tools = listTools(published, segments);
  const limitBytes = context.settings.bodyLimitBytes;
  let service: Promise<McpService> | null = null;

  function openService(): Promise<McpService> {
    service ??= import('../mcp/serve-mcp.ts').then(({ createMcpService }) =>
      createMcpService({ tools, version: context.build.version, logger: context.logger }),
    );
    return service;
  }

  context.onClose(async () => (await service)?.close());
  return [
    defineRoute({
      method: 'POST',
      path: '/mcp',
      access: 'optional',
      allowance: 'none',
      document: {
        operationId: 'mcp',
        tag: 'Agents',
        summary: 'Model Context Protocol, Streamable HTTP',
        ok: Type.Any(),
        isPage: true,
      },
      async takeOver(_request, raw) {
        const body = await readBytes(raw, limitBytes);
        if (body === null) refuseBody(raw, limitBytes);
        else await (await openService()).answer(raw, body);
      },
    }),
  ];
}

function refuseBody({ res, headers }: RawExchange, limitBytes: number): void {
  const { status, json } = errorAnswer(413, `The body is larger than ${limitBytes} bytes`);
  res.writeHead(status, { ...headers(), 'Content-Type': 'application/json' });
  res.end(JSON.stringify(json));
}
