// What the executor learns from the exchange while it trades: refusals, transfers, fees and payouts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { feeUsdMicro } from '../../domain/taker-fee.ts';
import { MICRO } from '../../domain/units.ts';
import { startMicro } from '../books/books.ts';
import { makeReport } from '../report/report.ts';
import { type Bench, fillAll, item, kinds, openBench, SECOND_MS } from './executor-bench.test-support.ts';
import { ACCEPTED_TRANSFER, CASH_DIFFERENCE } from './reconcile.ts';
import { readRedemptions } from './redeem.ts';
import { countRefusals } from './refusals.ts';

const MINUTE_MS = 60 * SECOND_MS;
const FEE = { rate: 0.05, exponent: 1 };

function refuse(bench: Bench, reason: string): void {
  bench.items = ['11', '12', '13', '14'].map((tokenId, eventId) => item({ tokenId, eventId }));
  bench.venue.outcome = { kind: 'refused', reason };
}

async function buy(bench: Bench, tokenId = '11'): Promise<void> {
  bench.items = [item({ tokenId, eventId: Number(tokenId) })];
  await bench.turn();
  fillAll(bench, tokenId);
}

describe('refused orders', () => {
  it('of one kind halt trading after three, with the fix, until the operator lifts it', async () => {
    const bench = openBench();
    refuse(bench, '400 maker address not allowed, please use the deposit wallet flow');
    await bench.turn();
    const sent = bench.venue.sent;
    const halted = await bench.turn();
    assert.deepEqual(kinds(halted), ['refused-orders']);
    assert.match(
      halted.halts[0]!.reason,
      /orders refused: 400 maker address .* deposit wallet and a session key/,
    );
    assert.equal(bench.venue.sent, sent, 'nothing more is sent');
    bench.venue.outcome = { kind: 'accepted' };
    bench.journal.liftHalts(bench.clock.now());
    await bench.turn(3 * MINUTE_MS);
    await bench.turn();
    assert.ok(bench.venue.sent > sent, 'trades again');
  });

  it('count as one kind when only numbers differ, and not at all while the exchange restarts', async () => {
    const bench = openBench();
    refuse(bench, '425 Too Early: the matching engine is restarting');
    await bench.turn();
    assert.deepEqual(kinds(await bench.turn()), []);
    assert.deepEqual(countRefusals(bench.journal), []);
    refuse(bench, '400 not enough balance / allowance: the balance is not enough -> balance: 0');
    let amount = 0;
    const { send } = bench.venue;
    bench.venue.send = (prepared) => {
      bench.venue.outcome = { kind: 'refused', reason: `400 order amount: ${amount++}.5` };
      return send(prepared);
    };
    await bench.turn(3 * MINUTE_MS);
    await bench.turn();
    assert.equal(countRefusals(bench.journal)[0]!.count, 3);
  });
});

describe('a transfer', () => {
  it('halts until the operator accepts the amount, and is not a profit', async () => {
    const bench = openBench();
    await bench.turn();
    bench.venue.cash += 1500 * MICRO;
    const halted = await bench.turn(MINUTE_MS + SECOND_MS);
    assert.deepEqual(kinds(halted), ['not-reconciled']);
    assert.match(halted.halts[0]!.reason, /1500\.00 USD more than the books.*accept-transfer/);
    assert.equal(bench.journal.note(CASH_DIFFERENCE), String(1500 * MICRO));
    bench.journal.setNote(ACCEPTED_TRANSFER, String(1400 * MICRO));
    assert.deepEqual(kinds(await bench.turn()), ['not-reconciled'], 'another amount');
    bench.journal.setNote(ACCEPTED_TRANSFER, String(1500 * MICRO));
    const report = await bench.turn();
    assert.deepEqual([kinds(report), report.profitUsd], [[], 0]);
    const { journal } = bench;
    assert.equal(startMicro(journal.entries()), 2500 * MICRO);
    const { maxDrawdownUsd, profitUsd } = makeReport({
      intents: journal.intents(),
      fills: journal.fills(),
      entries: journal.entries(),
      equity: [{ ts: bench.clock.now() - MINUTE_MS, equityMicro: 1000 * MICRO, cashMicro: 1000 * MICRO }],
    });
    assert.deepEqual([maxDrawdownUsd, profitUsd], [0, 0]);
  });
});

describe('fees', () => {
  const charge = (bench: Bench, tokenId: string) => {
    const feeMicro = feeUsdMicro(50 * MICRO, 2000, FEE);
    bench.venue.cash -= feeMicro;
    return { tokenId, feeMicro };
  };

  it('are learned from the first fill: charged in dollars where shares were expected', async () => {
    const bench = openBench();
    const { terms } = bench.venue;
    bench.venue.terms = async (tokenId) => ({
      ...(await terms(tokenId)),
      conditionId: `0x${tokenId}`,
      fee: FEE,
    });
    await buy(bench);
    charge(bench, '11');
    for (let i = 0; i < 3; i++) assert.deepEqual(kinds(await bench.turn()), []);
    const [fill] = bench.journal.fills();
    assert.deepEqual([fill!.feeSharesMicro, fill!.feeUsdMicro], [0, feeUsdMicro(50 * MICRO, 2000, FEE)]);
    assert.equal(
      bench.journal.entries().filter(({ kind }) => kind === 'adjustment').length,
      0,
      'nothing to adjust',
    );
    await buy(bench, '12');
    charge(bench, '12');
    await bench.turn();
    assert.equal(bench.journal.fills()[1]!.feeSharesMicro, 0, 'the next market is expected to do the same');
  });

  it('that differ by cents from the expected ones are adopted, not a halt', async () => {
    const bench = openBench();
    const { terms } = bench.venue;
    bench.venue.terms = async (tokenId) => ({ ...(await terms(tokenId)), fee: FEE });
    await buy(bench);
    bench.venue.cash -= feeUsdMicro(50 * MICRO, 2000, FEE) + 4 * (MICRO / 100);
    for (let i = 0; i < 3; i++) assert.deepEqual(kinds(await bench.turn()), []);
    assert.ok(bench.journal.entries().some(({ kind }) => kind === 'adjustment'));
  });
});

describe('a decided market', () => {
  const settlement = ({ journal }: Bench) => journal.entries().find((entry) => entry.kind === 'settlement');

  it('pays a won position on request, once, and tries again after a failure', async () => {
    const bench = openBench();
    const requests: string[] = [];
    let hasPaid: boolean | null = null;
    bench.venue.redemption = {
      async send(tokenId, sharesMicro) {
        requests.push(`${tokenId} ${sharesMicro}`);
        if (requests.length === 1) throw new Error('no relayer key');
        return 'relay-1';
      },
      hasPaid: async () => hasPaid,
    };
    await buy(bench);
    await bench.turn();
    bench.items = [];
    bench.venue.winner = '11';
    await bench.turn(MINUTE_MS);
    assert.match(readRedemptions(bench.journal)['11']!.reason, /no relayer key/);
    await bench.turn(MINUTE_MS);
    assert.equal(requests.length, 1, 'not repeated at once');
    await bench.turn(5 * MINUTE_MS);
    for (let i = 0; i < 5; i++) await bench.turn(5 * SECOND_MS);
    assert.deepEqual(requests, ['11 50000000', '11 50000000'], 'pending');
    hasPaid = true;
    bench.venue.cash += bench.venue.shares.get('11')!;
    bench.venue.shares.delete('11');
    for (let i = 0; i < 2; i++) assert.deepEqual(kinds(await bench.turn(5 * SECOND_MS)), []);
    const { how, paidMicro } = settlement(bench) as { how?: string; paidMicro: number };
    assert.deepEqual([how, paidMicro], ['redeemed', 50 * MICRO]);
  });

  it('frees the limits of a lost position, although the shares stay in the wallet', async () => {
    const bench = openBench();
    bench.venue.redemption = { send: async () => 'x', hasPaid: async () => null };
    await buy(bench);
    await bench.turn();
    bench.items = [];
    bench.venue.winner = '99';
    await bench.turn(MINUTE_MS);
    assert.equal((settlement(bench) as { how?: string }).how, 'written-off');
    for (let i = 0; i < 3; i++) assert.deepEqual(kinds(await bench.turn(MINUTE_MS)), []);
    assert.equal(bench.venue.shares.get('11'), 50 * MICRO);
  });
});

it('warns while the permission to trade ends soon', async () => {
  const bench = openBench();
  bench.venue.checkAccess = async () => ({ isAllowed: true, reason: '', warning: 'the session key expires' });
  assert.equal((await bench.turn()).warning, 'the session key expires');
});
