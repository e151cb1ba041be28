// Kills a server with -9 at every stage of a paid call, on both engines, while another replica survives.
// PAYMENT_CRASH_ROUNDS=50 runs the long version.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { MINUTE_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { PaymentRecord, Store } from '../../src/store/ports.ts';
import { createPlace, ENGINE_NAMES, type StorePlace } from '../store/engines.ts';
import { waitUntil } from '../support/boot.ts';
import type { Moment } from './doomed-server.ts';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import {
  countToldRightly,
  createFundedWallet,
  type PaidServer,
  PRICE,
  reconcileNow,
  settingsOf,
  startChain,
  startPaidServer,
} from './support.ts';

const ROUNDS = Number(process.env.PAYMENT_CRASH_ROUNDS ?? 1);

interface Expectation {
  moment: Moment;
  /** Payment state after the crash and one reconciliation. */
  state: PaymentRecord['state'];
  charged: boolean;
  /** The surviving replica's response to the same payment after that. */
  retry: number;
}

const EXPECTATIONS: Expectation[] = [
  { moment: 'before-settle', state: 'released', charged: false, retry: 200 },
  { moment: 'asking-settle', state: 'undecided', charged: false, retry: 200 },
  { moment: 'settled-unrecorded', state: 'settled', charged: true, retry: 200 },
  { moment: 'before-answer', state: 'settled', charged: true, retry: 200 },
];

for (const engine of ENGINE_NAMES) {
  describe(`a kill -9 during a paid call on ${engine}`, () => {
    let demo: DemoPayments;
    let place: StorePlace;
    let store: Store;
    let survivor: PaidServer;

    before(async () => {
      demo = await startChain();
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

    const reconcile = () => reconcileNow(store.payments, demo, { now: () => systemClock.now() + 1 });

    for (const { moment, state, charged, retry } of EXPECTATIONS) {
      it(`at stage ${moment} charges ${charged ? 'once' : 'nothing'}, ends ${state}, and a retry gets ${retry}`, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const wallet = await createFundedWallet(demo);
          const payment = await signPayment(demo, wallet);
          const headers = { x402: round % 2 === 0 ? wrapV2(demo, payment) : wrapV1(payment) };
          const child = await startDoomed(moment, demo, place);
          await callUntilDead(child, headers);

          await reconcile();
          const row = await findRow(store, payment.authorization.nonce!);
          assert.equal(row.state, state);
          const expected = 1_000_000n - (charged ? PRICE : 0n);
          assert.equal(await demo.balanceOf(wallet.address), expected);
          if (charged) assert.equal(demo.chain.find(row.transaction!)?.succeeded, true);

          const answer = await fetch(`${survivor.url}/paid`, { headers });
          assert.equal(answer.status, retry);
          const spent = 1_000_000n - (await demo.balanceOf(wallet.address));
          assert.equal(spent, charged || retry === 200 ? PRICE : 0n);
        }
      });
    }

    it('is resolved by the restarted service, which returns the response once', async () => {
      for (const moment of ['settled-unrecorded', 'before-answer'] as const) {
        const wallet = await createFundedWallet(demo);
        const headers = { x402: wrapV2(demo, await signPayment(demo, wallet)) };
        await callUntilDead(await startDoomed(moment, demo, place), headers);
        // Three minutes later, because a row may belong to a call of another replica until then.
        const clock = { ...systemClock, now: () => systemClock.now() + 3 * MINUTE_MS };
        const settings = settingsOf(demo, { reconcilePeriodMs: 50 });
        const gate = { clock, reconciles: true };
        const restarted = await startPaidServer({ settings, payments: store.payments, gate });
        const ask = async () => (await fetch(`${restarted.url}/paid`, { headers })).status;
        let status = await ask();
        await waitUntil(async () => status !== 503 || (status = await ask()) !== 503);
        assert.deepEqual([status, await ask()], [200, 402], moment);
        assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
        await restarted.close();
      }
    });

    it('leaves every payment final, with one charge on the chain per settled payment', async () => {
      assert.deepEqual(await reconcile(), { released: 0, settled: 0, failed: 0, open: 0 });
      const rows = await store.payments.list({ limit: 10_000, offset: 0 });
      const states = [...new Set(rows.map((row) => row.state))].sort();
      assert.deepEqual(states, ['settled']);
      const settled = rows.filter((row) => row.state === 'settled');
      assert.equal(await demo.balanceOf(demo.payTo), PRICE * BigInt(settled.length));
      assert.equal(new Set(settled.map((row) => row.transaction)).size, settled.length);
    });

    it('lets only one of two replicas respond if both get the same payment at once', async () => {
      const child = await startDoomed('never', demo, place);
      try {
        const wallet = await createFundedWallet(demo);
        const headers = { x402: wrapV2(demo, await signPayment(demo, wallet)) };
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            fetch(`${i % 2 === 0 ? survivor.url : child.url}/paid`, { headers }),
          ),
        );
        const statuses = answers.map((answer) => answer.status);
        assert.equal(statuses.filter((status) => status === 200).length, 1);
        assert.equal(await countToldRightly(answers), 49);
        assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
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

async function findRow(store: Store, nonce: string): Promise<PaymentRecord> {
  const rows = await store.payments.list({ limit: 10_000, offset: 0 });
  return rows.find((row) => row.nonce === nonce)!;
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
