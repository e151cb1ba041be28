// Kills a server with -9 at every stage of a paid call, on both engines. Another replica, which is also what a restart
// is, then gives the response for one charge.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { type DemoPayments, startDemoPayments } from '../../simulator/chain/demo-payments.ts';
import type { Store } from '../../src/store/ports.ts';
import { createPlace, ENGINE_NAMES, type StorePlace } from '../store/engines.ts';
import type { Moment } from './doomed-server.ts';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import { createFundedWallet, FUNDS, type PaidServer, PRICE, settingsOf, startPaidServer } from './support.ts';

interface Expectation {
  moment: Moment;
  /** Charged when the process died. */
  isCharged: boolean;
  /** Whether the restart finds the payment and settles it. */
  isFound: boolean;
}

const EXPECTATIONS: Expectation[] = [
  { moment: 'before-settle', isCharged: false, isFound: false },
  { moment: 'asking-settle', isCharged: false, isFound: true },
  { moment: 'settled-unrecorded', isCharged: true, isFound: true },
  { moment: 'before-answer', isCharged: true, isFound: true },
];

for (const engine of ENGINE_NAMES) {
  describe(`a kill -9 during a paid call on ${engine}`, () => {
    let demo: DemoPayments;
    let place: StorePlace;
    let store: Store;
    let survivor: PaidServer;

    before(async () => {
      demo = await startDemoPayments();
      place = await createPlace(engine);
      store = await place.open();
      survivor = await startPaidServer({ settings: settingsOf(demo), payments: store.payments });
    });
    after(async () => {
      for (const child of living) child.kill('SIGKILL');
      await survivor.close();
      await place.clear();
      await demo.close();
    });

    for (const { moment, isCharged, isFound } of EXPECTATIONS)
      it(`at stage ${moment} loses nothing and charges once`, async () => {
        const wallet = await createFundedWallet(demo);
        const payment = await signPayment(demo, wallet);
        const spent = () => FUNDS - demo.balanceOf(wallet.address);
        const headers = { x402: moment === 'asking-settle' ? wrapV1(payment) : wrapV2(demo, payment) };
        await callUntilDead(await startDoomed(moment, demo, place), headers);
        assert.equal(spent(), isCharged ? PRICE : 0n);

        await survivor.gate.resolveOpen();
        const rows = await store.payments.list({ limit: 100, offset: 0 });
        const row = rows.find(({ nonce }) => nonce === payment.authorization.nonce);
        assert.equal(row?.state, isFound ? 'settled' : undefined);
        assert.equal(spent(), isFound ? PRICE : 0n);
        const kept = row && (await store.payments.findResponse(row.paymentId));

        for (const _ of ['first', 'again']) {
          const answer = await fetch(`${survivor.url}/paid`, { headers });
          assert.equal(answer.status, 200);
          if (kept) assert.deepEqual(await answer.json(), JSON.parse(JSON.parse(kept).body));
          assert.equal(spent(), PRICE);
        }
      });

    it('leaves two replicas that give one response for one charge to a payment sent to both', async () => {
      const child = await startDoomed('never', demo, place);
      try {
        const wallet = await createFundedWallet(demo);
        const headers = { x402: wrapV2(demo, await signPayment(demo, wallet)) };
        const answers = await Promise.all(
          Array.from({ length: 50 }, async (_, i) => {
            const answer = await fetch(`${i % 2 === 0 ? survivor.url : child.url}/paid`, { headers });
            return `${answer.status} ${await answer.text()}`;
          }),
        );
        assert.equal(new Set(answers).size, 1, answers.join('\n'));
        assert.match(answers[0]!, /^200/);
        assert.equal(demo.balanceOf(wallet.address), FUNDS - PRICE);
      } finally {
        child.process.kill('SIGKILL');
        await child.ended;
      }
    });
  });
}

/** Retries, because a busy machine may return 503 first. */
async function callUntilDead(child: Doomed, headers: Record<string, string>): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const answer = await fetch(`${child.url}/paid`, { headers }).catch(() => null);
    if (answer === null) return void (await child.ended);
    assert.equal(answer.status, 503);
  }
  assert.fail('the server did not die');
}

interface Doomed {
  url: string;
  process: ChildProcess;
  ended: Promise<unknown>;
}

const living = new Set<ChildProcess>();

async function startDoomed(
  moment: Moment,
  demo: DemoPayments,
  { options: { dataDir, databaseUrl } }: StorePlace,
): Promise<Doomed> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'doomed-server.ts'),
      moment,
      JSON.stringify(settingsOf(demo)),
      JSON.stringify({ dataDir, databaseUrl }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  living.add(child);
  child.once('exit', () => living.delete(child));
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, process: child, ended };
}
