// An agent that is connected to a service through the official SDK.

import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export async function connectAgent(
  serviceUrl: string,
  key: string | null,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const headers: Record<string, string> = key === null ? {} : { 'X-API-Key': key };
  const url = new URL(`${serviceUrl}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}
