// Serves agents over stdin and stdout: forwards their messages to a running service, or starts one.

import { PassThrough } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { errorMessage } from '../../runtime/errors.ts';
import { readWordsAndOptions, texts } from '../arguments.ts';
import { readUrl } from '../ask.ts';
import { type Command, note, type Terminal } from '../command.ts';
import { type FoundService, findOrStartService, requestDemoKey } from '../find-service.ts';

export const usage = `usage: npx tallycast mcp [options] [-- settings]

Speak the Model Context Protocol over stdin and stdout, for agents that start their tools themselves. Uses the
service at --url, otherwise the one on this machine (PORT, default 8080). If there is none, starts one with the
settings after --, on the simulator unless live sources are configured, and stops it when the agent disconnects.
Without DATA_DIR, such a service keeps its store in ~/.local/share/tallycast.

options:
  --url URL     service address (TALLYCAST_URL)
  --key KEY     API key (TALLYCAST_KEY); a service on the simulator hands out its demo key

examples:
  npx tallycast mcp
  npx tallycast mcp --url https://tallycast.example --key tc_pro_...
  npx tallycast mcp -- --data-dir ./data --sources live`;

export const run: Command['run'] = async (args, terminal) => {
  const { values, positionals } = readWordsAndOptions(args, Number.POSITIVE_INFINITY, texts('url', 'key'));
  const wanted = values.url ?? (terminal.env.TALLYCAST_URL || undefined);
  const service: FoundService =
    wanted === undefined
      ? await findOrStartService(positionals, terminal)
      : { url: readUrl(wanted), stop: async () => {} };
  try {
    const key = values.key ?? (terminal.env.TALLYCAST_KEY || (await requestDemoKey(service.url)));
    if (key === null) note(terminal, 'No API key: tools return the public view.');
    await forward(service.url, key, terminal);
  } finally {
    await service.stop();
  }
  return undefined;
};

type Message = Parameters<StdioServerTransport['send']>[0];

/** How long an agent that closed its side waits for its last responses. */
const DRAIN_MS = 10_000;

/** Resolves when the agent has disconnected and has its responses, or when the command is stopped. */
async function forward(url: string, key: string | null, terminal: Terminal): Promise<void> {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  // The transport would close itself at the end of its input, before the last responses arrive.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const agent = new StdioServerTransport(input);
  const service = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: key === null ? {} : { 'X-API-Key': key } },
  });
  const waiting = new Set<unknown>();
  let hasInputEnded = false;
  let isClosed = false;
  let initializeId: unknown;

  const respond = async (message: Message) => {
    // Fails only if the agent is gone.
    await agent.send(message).catch(() => {});
    if ('id' in message) waiting.delete(message.id);
    if (hasInputEnded && waiting.size === 0) close();
  };
  agent.onmessage = async (message) => {
    if ('method' in message && 'id' in message) waiting.add(message.id);
    if ('method' in message && message.method === 'initialize' && 'id' in message) initializeId = message.id;
    await service.send(message).catch((error: unknown) => respond(toFailure(message, error)));
  };
  service.onmessage = (message) => {
    // Later requests of this protocol generation name the agreed version in a header.
    if ('result' in message && message.id === initializeId)
      service.setProtocolVersion(String(message.result.protocolVersion));
    void respond(message);
  };
  service.onerror = (error) => {
    if (!isClosed) note(terminal, errorMessage(error));
  };
  agent.onclose = close;
  terminal.stopSignal().addEventListener('abort', () => close(), { once: true });
  process.stdin.once('end', () => {
    hasInputEnded = true;
    if (waiting.size === 0) close();
    else setTimeout(close, DRAIN_MS).unref();
  });

  await service.start();
  await agent.start();
  await closed;
  isClosed = true;
  // An input that is still read would keep the process running.
  process.stdin.unpipe(input).pause();
  await Promise.all([agent.close(), service.close()]);
}

const INTERNAL_ERROR = -32603;

/** A request without a response would leave the agent waiting. */
function toFailure(message: Message, error: unknown): Message {
  const id = 'id' in message && 'method' in message ? message.id : undefined;
  const text = `The service cannot be reached: ${errorMessage(error)}`;
  if (id === undefined)
    return { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: text } };
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: text } };
}
