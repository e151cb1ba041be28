// npm run facilitator: verifies and settles payments on one network, for one's own service.

import { pino } from 'pino';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { startFacilitator } from '../facilitator/server.ts';
import { systemClock } from '../runtime/clock.ts';
import { UsageError } from '../runtime/errors.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const { host, payments, secrets } = loadConfig(argv, readEnvironment());
  const { facilitatorRpcUrl: rpcUrl, facilitatorPrivateKey: privateKey } = secrets;
  if (!rpcUrl) throw new UsageError('FACILITATOR_RPC_URL is needed: where the chain is reached');
  if (!privateKey) throw new UsageError('FACILITATOR_PRIVATE_KEY is needed: the wallet that pays gas');
  if (!payments.payTo) throw new UsageError('PAY_TO is needed: whose payments are settled');
  const server = await startFacilitator({
    settings: {
      network: payments.network as `eip155:${string}`,
      rpcUrl,
      privateKey,
      payTo: [payments.payTo],
    },
    clock: systemClock,
    logger: pino({ name: 'facilitator' }),
    host,
    port: payments.facilitatorPort,
  });
  process.stdout.write(`facilitator for ${payments.network} on ${server.url}, gas from ${server.address}\n`);
  const stop = () => void server.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
});
