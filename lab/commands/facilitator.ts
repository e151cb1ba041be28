// Verifies and settles payments on one network for your own service.

import { readOptions } from '../../src/cli/arguments.ts';
import { type Command, print, untilStopped } from '../../src/cli/command.ts';
import { loadConfig } from '../../src/config/config.ts';
import { startFacilitator } from '../../src/payments/facilitator/server.ts';
import { UsageError } from '../../src/runtime/errors.ts';
import { openLogger } from '../../src/runtime/open-logger.ts';

export const usage = `usage: npx tallycast lab facilitator [settings]

Verify and settle per-call payments on one network until stopped. See docs/payments.md.

  FACILITATOR_RPC_URL       chain RPC address
  FACILITATOR_PRIVATE_KEY   wallet that pays gas
  PAY_TO                    receiving address
  FACILITATOR_PORT          port to listen on

examples:
  FACILITATOR_RPC_URL=https://rpc.example FACILITATOR_PRIVATE_KEY=0x... PAY_TO=0x... npx tallycast lab facilitator`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const { host, payments, secrets, rest } = config;
  readOptions(rest, {});
  const { facilitatorRpcUrl: rpcUrl, facilitatorPrivateKey: privateKey } = secrets;
  if (!rpcUrl) throw new UsageError('FACILITATOR_RPC_URL is missing. Set it to the chain RPC address.');
  if (!privateKey)
    throw new UsageError(
      'FACILITATOR_PRIVATE_KEY is missing. Set it to the key of the wallet that pays gas.',
    );
  if (!payments.payTo) throw new UsageError('PAY_TO is missing. Set it to the receiving address.');
  const network = payments.network as `eip155:${string}`;
  const server = await startFacilitator({
    settings: { network, rpcUrl, privateKey, payTo: [payments.payTo] },
    clock: terminal.clock,
    logger: openLogger(config).child({ name: 'facilitator' }),
    host,
    port: payments.facilitatorPort,
  });
  print(terminal, `facilitator for ${network} on ${server.url}, gas from ${server.address}`);
  await untilStopped(terminal.stopSignal());
  await server.close();
  return undefined;
};
