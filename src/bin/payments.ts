// npm run payments -- list|reconcile|export

import { openPaymentChain } from '../api/access/payments/open-payment-gate.ts';
import { PAYMENTS_USAGE, runPaymentsCommand } from '../api/access/payments/payments-command.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openStore } from '../store/open-store.ts';
import { openDemoChain } from '../world/chain/demo-payments.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  if (argv.includes('--help')) return console.log(PAYMENTS_USAGE);
  const config = loadConfig(argv, readEnvironment());
  const { databaseUrl, directDatabaseUrl, facilitatorRpcUrl } = config.secrets;
  const services = { clock: systemClock, logger: silentLogger };
  const store = await openStore({ databaseUrl, directDatabaseUrl, dataDir: config.dataDir, ...services });
  try {
    const isDone = await runPaymentsCommand(config.rest, {
      ...services,
      payments: store.payments,
      print: (text) => void process.stdout.write(text),
      async openReader() {
        const demo =
          config.payments.mode === 'on'
            ? null
            : await openDemoChain({ ...services, dataDir: config.dataDir });
        const rpcUrl = demo?.rpcUrl ?? facilitatorRpcUrl;
        const reader = await openPaymentChain(demo?.network ?? config.payments.network, rpcUrl);
        return { reader, close: async () => demo?.close() };
      },
    });
    if (!isDone) process.exitCode = 1;
  } finally {
    await store.close();
  }
});
