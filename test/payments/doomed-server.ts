// A paid server that kills itself, like kill -9, at a given stage of the first paid call. Started by
// crash.test.ts: node doomed-server.ts <moment> <settings JSON> <store options JSON>

import { createFacilitator } from '../../src/payments/facilitator.ts';
import type { PaymentSettings } from '../../src/payments/payment-gate.ts';
import { createPaymentTerms } from '../../src/payments/terms.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startPaidServer } from './support.ts';

export type Moment =
  /** Verified and the response is ready, but nothing is stored. */
  | 'before-settle'
  /** The response is stored; the process dies before its request reaches the facilitator. */
  | 'asking-settle'
  /** The facilitator has settled, but that is not recorded. */
  | 'settled-unrecorded'
  /** Settled and recorded, but the response was not sent. */
  | 'before-answer'
  | 'never';

if (import.meta.main) {
  const [moment, settingsText, storeText] = process.argv.slice(2) as [Moment, string, string];
  const settings = JSON.parse(settingsText) as PaymentSettings;
  const die = async (at: Moment) => {
    if (at === moment) process.kill(process.pid, 'SIGKILL');
  };
  const store = await openStore({ ...JSON.parse(storeText), clock: systemClock, logger: silentLogger });
  const facilitator = createFacilitator(settings, createPaymentTerms(settings));
  const server = await startPaidServer({
    settings,
    payments: store.payments,
    beforeSettle: () => die('before-settle'),
    afterSettle: () => die('before-answer'),
    gate: {
      facilitator: {
        async settle(offer) {
          await die('asking-settle');
          const answer = await facilitator.settle(offer);
          await die('settled-unrecorded');
          return answer;
        },
      },
    },
  });
  process.stdout.write(`${server.url}\n`);
}
