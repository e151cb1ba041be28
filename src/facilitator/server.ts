// The facilitator over HTTP: POST /verify, POST /settle, GET /supported.
// 503 means that the chain could not be asked; after /settle it also means that the outcome is open.

import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
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

export async function startFacilitator(options: FacilitatorServerOptions): Promise<FacilitatorServer> {
  const facilitator = createFacilitator(options.settings, options.clock);
  const app = Fastify({ logger: false, bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true });

  app.get('/supported', async () => facilitator.supported());
  app.get('/health', async () => ({ status: 'ok', network: options.settings.network }));
  app.post('/verify', (request, reply) =>
    answer(options.logger, reply, 'verify', request.body, (payload, requirements) =>
      facilitator.verify(payload, requirements),
    ),
  );
  app.post('/settle', (request, reply) =>
    answer(options.logger, reply, 'settle', request.body, async (payload, requirements) => {
      const result = await facilitator.settle(payload, requirements);
      options.logger.info(
        {
          success: result.success,
          transaction: result.transaction,
          reason: result.errorReason,
          payer: result.payer,
        },
        'settlement',
      );
      return result;
    }),
  );

  const url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  return { url, address: facilitator.address, close: () => closeApp(app) };
}

async function closeApp(app: FastifyInstance): Promise<void> {
  await app.close();
}

type Operation = (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<object>;

async function answer(logger: Logger, reply: FastifyReply, name: string, body: unknown, run: Operation) {
  const { paymentPayload, paymentRequirements } = (body ?? {}) as Record<string, unknown>;
  if (!isObject(paymentPayload) || !isObject(paymentRequirements)) {
    return reply.code(400).send({ error: 'paymentPayload and paymentRequirements are required' });
  }
  try {
    return await run(
      paymentPayload as unknown as PaymentPayload,
      paymentRequirements as unknown as PaymentRequirements,
    );
  } catch (error) {
    if (error instanceof ChainUnreachable) {
      logger.warn({ operation: name, reason: errorMessage(error) }, 'chain not reachable');
      return reply
        .code(503)
        .header('retry-after', '5')
        .send({ error: `chain not reachable: ${errorMessage(error)}` });
    }
    if (error instanceof UnreadablePayment) {
      const reason = { invalidReason: 'invalid_payload', invalidMessage: errorMessage(error) };
      return reply
        .code(400)
        .send(name === 'verify' ? { isValid: false, ...reason } : { error: errorMessage(error) });
    }
    logger.error({ operation: name, reason: errorMessage(error) }, 'facilitator failed');
    return reply.code(500).send({ error: 'internal error' });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
