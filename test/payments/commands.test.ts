import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DemoPayments, startDemoPayments } from '../../simulator/chain/demo-payments.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { startFaultyFacilitator } from './faulty-facilitator.ts';
import { signPayment, wrapV2 } from './signing.ts';
import { createFundedWallet, type PaidServer, PRICE, settingsOf, startPaidServer } from './support.ts';

const services = { clock: systemClock, logger: silentLogger };

describe('payment commands', () => {
  let dataDir: string;
  let store: Store;
  let demo: DemoPayments;
  let server: PaidServer;

  before(async () => {
    dataDir = makeTempFolder('commands');
    store = await openStore({ dataDir, ...services });
    demo = await startDemoPayments({ ...services, dataDir });
  });
  after(async () => {
    await store.close();
  });

  const run = (...args: string[]) => runCommand(args, { DATA_DIR: dataDir });

  it('list, export and reconcile payments, even after the demo has stopped', async () => {
    const facilitator = await startFaultyFacilitator(demo.facilitatorUrl);
    server = await startPaidServer({
      settings: settingsOf(demo, { facilitatorUrl: facilitator.url }),
      payments: store.payments,
    });
    const wallet = await createFundedWallet(demo);
    const pay = async () =>
      fetch(`${server.url}/paid`, { headers: { x402: wrapV2(demo, await signPayment(demo, wallet)) } });
    assert.equal((await pay()).status, 200);
    facilitator.faults.settle = 'do-and-drop';
    assert.equal((await pay()).status, 503);
    await server.close();
    facilitator.close();
    await demo.close();

    const listed = await run('payments', 'list', '--json');
    const rows = JSON.parse(listed.out) as Record<string, unknown>[];
    assert.deepEqual(rows.map((row) => row.state).sort(), ['settled', 'undecided']);
    assert.ok(
      rows.every((row) => row.payer === wallet.address.toLowerCase() && row.amount === String(PRICE)),
    );
    assert.equal(JSON.stringify(rows).includes('signature'), false);

    const reconciled = await run('payments', 'reconcile', '--json');
    assert.equal(reconciled.code, 0, reconciled.err);
    assert.deepEqual(JSON.parse(reconciled.out), { released: 0, settled: 1, failed: 0, open: 0 });
    assert.match((await run('payments', 'list')).out, /settled {2}10000/);
    const csv = (await run('payments', 'export')).out.trim().split('\n');
    assert.equal(csv.length, 3);
    assert.match(csv[0]!, /^payment_id,time,state,amount,payer,route,transaction,reason,/);

    // A restarted demo restores its balances.
    demo = await startDemoPayments({ ...services, dataDir });
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - 2n * PRICE);
    await demo.close();
  });

  it('print usage', async () => {
    assert.equal((await run('payments', 'nonsense')).code, 2);
    assert.equal((await run('pay')).code, 2);
    const facilitator = await run('facilitator');
    assert.equal(facilitator.code, 2);
    assert.match(facilitator.err, /FACILITATOR_RPC_URL/);
  });
});
