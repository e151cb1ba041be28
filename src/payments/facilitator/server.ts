// Serves the facilitator over HTTP: POST /verify, POST /settle, GET /supported. 503 means the chain is
// unreachable; after /settle it also means the outcome is unknown.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import {
  ChainUnreachable,
  createFacilitator,
  type FacilitatorSettings,
  UnreadablePayment,
} from './facilitator.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

export interface FacilitatorServerOptions {
  settings: FacilitatorSettings;
  clock: Clock;
  logger: Logger;
  host?: string;
  port?: number;
}

export interface FacilitatorServer {
  url: string;
  /** The wallet that pays gas. */
  address: string;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  body: object;
}

export async function startFacilitator(options: FacilitatorServerOptions): Promise<FacilitatorServer> {
  const { settings, clock, logger } = options;
  const facilitator = createFacilitator(settings, clock);
  const operations: Record<string, Operation> = {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    async settle(payload, requirements) {
      const result = await facilitator.settle(payload, requirements);
      const { success, transaction, errorReason: reason, payer } = result;
      logger.info({ success, transaction, reason, payer }, 'settlement');
      return result;
    },
  };
  const facts: Record<string, () => object> = {
    '/supported': () => facilitator.supported(),
    '/health': () => ({ status: 'ok', network: settings.network }),
  };

  async function answer(request: IncomingMessage): Promise<Reply> {
    const path = request.url!.split('?')[0]!;
    const fact = facts[path];
    if (request.method === 'GET' && fact) return { status: 200, body: fact() };
    const name = path.slice(1);
    const operation = request.method === 'POST' && Object.hasOwn(operations, name) ? operations[name] : null;
    if (!operation) return { status: 404, body: { error: 'not found' } };
    const body = await readBody(request);
    if (body === null) return { status: 413, body: { error: 'body too large' } };
    return run(logger, name, body, operation);
  }

  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown): Reply => {
        logger.error({ reason: errorMessage(error) }, 'facilitator request failed');
        return { status: 500, body: { error: 'internal error' } };
      })
      .then((reply) => send(response, reply));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return { url: `http://${host}:${port}`, address: facilitator.address, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 && { 'retry-after': '5' }),
    // Closing the connection discards the rest of an oversized body.
    ...(status === 413 && { connection: 'close' }),
  });
  response.end(JSON.stringify(body));
}

/** Returns null if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

type Operation = (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<object>;

async function run(logger: Logger, name: string, text: string, operation: Operation): Promise<Reply> {
  const { paymentPayload, paymentRequirements } = parseObject(text);
  if (!isObject(paymentPayload) || !isObject(paymentRequirements)) {
    return { status: 400, body: { error: 'paymentPayload and paymentRequirements are required' } };
  }
  try {
    const result = await operation(
      paymentPayload as unknown as PaymentPayload,
      paymentRequirements as unknown as PaymentRequirements,
    );
    return { status: 200, body: result };
  } catch (error) {
    return explain(logger, name, error);
  }
}

function explain(logger: Logger, name: string, error: unknown): Reply {
  const reason = errorMessage(error);
  if (error instanceof ChainUnreachable) {
    logger.warn({ operation: name, reason }, 'chain unreachable');
    return { status: 503, body: { error: `chain unreachable: ${reason}` } };
  }
  if (error instanceof UnreadablePayment) {
    const invalid = { isValid: false, invalidReason: 'invalid_payload', invalidMessage: reason };
    return { status: 400, body: name === 'verify' ? invalid : { error: reason } };
  }
  logger.error({ operation: name, reason }, 'facilitator request failed');
  return { status: 500, body: { error: 'internal error' } };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
