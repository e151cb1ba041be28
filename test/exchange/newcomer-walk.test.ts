// A newcomer's way from an empty wallet to a redeemed position with a session key only: at each stage the exchange's
// refusal of an order, and what `trade setup` said. The owner signs on another machine what setup printed.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createSimulatorState, type MarketRef } from '../../simulator/simulator-state.ts';
import { runTallycast } from '../../src/cli/run.ts';
import { DAY_MS, HOUR_MS, MICRO, toPips } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createExecutor } from '../../src/trading/executor/cycle.ts';
import { openJournal } from '../../src/trading/journal/journal.ts';
import type { AdviceItem } from '../../src/trading/types.ts';
import { deriveWallets } from '../../src/trading/venue/polymarket/signing/derive-wallets.ts';
import type { Signer } from '../../src/trading/venue/polymarket/signing/sign-order.ts';
import { openPolymarketVenue } from '../../src/trading/venue/polymarket/venue.ts';
import { openChain } from '../../src/trading/venue/polymarket/wallet/chain.ts';
import { discoverWallet } from '../../src/trading/venue/polymarket/wallet/discover-wallet.ts';
import { openRelayer } from '../../src/trading/venue/polymarket/wallet/relayer.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const SEED = 7;
const ANCHOR_TS = Date.UTC(2026, 8, 7);
const START_TS = ANCHOR_TS + 60 * DAY_MS;
const owner = privateKeyToAccount(generatePrivateKey());
const SESSION_KEY = generatePrivateKey();
const session = privateKeyToAccount(SESSION_KEY);
const wallet = deriveWallets(owner.address).depositBeacon;

// biome-ignore lint/suspicious/noExplicitAny: printed requests are used as they are.
type Json = any;

describe("a newcomer's walk with a session key only", () => {
  const folder = makeTempFolder('walk');
  const keyFile = join(folder, 'session-key');
  const clock = createManualClock(START_TS);
  let simulator: Simulator;
  let server: SimulatorServer;
  let won: MarketRef;
  let lost: MarketRef;

  before(async () => {
    simulator = createSimulator({ seed: SEED, anchorTs: ANCHOR_TS, clock });
    server = await startSimulatorServer(simulator);
    [won, lost] = pickMarkets();
  });
  after(() => server.close());

  /** Runs `trade setup` and returns what it printed, with the requests in it. */
  async function setup(...more: string[]): Promise<{ text: string; requests: Json[] }> {
    let text = '';
    const terminal = {
      env: { TALLYCAST_RELAYER_KEY: `key:${owner.address}` },
      clock,
      output: { write: (part: string) => void (text += part) },
      notes: { write: (part: string) => void (text += part) },
      stopSignal: () => new AbortController().signal,
    };
    const where = ['--exchange', server.urls.base, '--key-file', keyFile, '--owner', owner.address];
    await runTallycast(['trade', 'setup', ...where, ...more], terminal, undefined);
    const requests = [...text.matchAll(/^ {9}(\{\n[\s\S]*?\n {9}\})/gm)].map(([, found]) =>
      JSON.parse(found!),
    );
    return { text, requests };
  }

  /** What the exchange answers to an order of ours. */
  async function tryOrder(signer: Signer, ref = won): Promise<string> {
    const venue = await openVenue(signer);
    const prepared = await venue.prepare({
      tokenId: tokenOf(ref),
      action: 'BUY',
      pricePips: toPips(ref.event.tick),
      sizeMicro: 200 * MICRO,
      isNegRisk: ref.event.isNegRisk,
      expiresTs: clock.now() + 120_000,
    });
    const outcome = await venue.send(prepared);
    await venue.cancelAll();
    return outcome.kind === 'accepted' ? 'accepted' : outcome.reason;
  }

  const chain = () => openChain(`${server.urls.base}/polygon`);
  const relayer = () =>
    openRelayer({ url: `${server.urls.base}/relayer`, key: { apiKey: 'key', address: owner.address } });
  const openVenue = (signer: Signer) =>
    openPolymarketVenue({
      url: server.urls.clob,
      gammaUrl: server.urls.gamma,
      geoblockUrl: null,
      signer,
      chain: chain(),
      relayer: relayer(),
      feePaidIn: 'usd',
      clock,
    });
  const bySession: Signer = { account: session, wallet, kind: 'deposit', form: 'wrapped', isSession: true };

  /** The owner's machine: signs what was printed, and sends it. */
  async function ownerSends({ sign, send, body }: Json): Promise<void> {
    const signature = sign && (await owner.signTypedData(sign));
    const filled = JSON.parse(JSON.stringify(body).replace('SIGNATURE', signature ?? ''));
    const headers = { poly_builder_api_key: 'builder', 'idempotency-key': '1' };
    const response = await fetch(send.slice('POST '.length), {
      method: 'POST',
      headers,
      body: JSON.stringify(filled),
    });
    assert.equal(response.status, 200, await response.text());
  }

  const admin = (body: object) =>
    fetch(`${server.urls.admin}/exchange`, { method: 'POST', body: JSON.stringify(body) });

  it('meets every refusal on the way, and learns what to do', async (t) => {
    writeFileSync(keyFile, SESSION_KEY, { mode: 0o600 });
    const stage = async (what: string, signer: Signer, refusal: RegExp, said: RegExp, ...more: string[]) => {
      const answer = await tryOrder(signer);
      assert.match(answer, refusal, what);
      const { text, requests } = await setup(...more);
      const line = text.split('\n').find((one) => said.test(one));
      assert.ok(line, `${what}: ${text}`);
      t.diagnostic(`${what}: the exchange said "${answer}"; trade setup: ${line.trim()}`);
      return requests;
    };
    const alone: Signer = {
      account: session,
      wallet: session.address,
      kind: 'key',
      form: 'plain',
      isSession: false,
    };
    const named = ['--wallet', wallet];
    const [create] = await stage(
      'key alone',
      alone,
      /please use the deposit wallet flow/,
      /MISSING +wallet: .*plain key/,
    );
    await stage(
      'no wallet',
      bySession,
      /signer address has to be the address of the API KEY/,
      /MISSING +wallet: no wallet is deployed/,
      ...named,
    );
    await ownerSends(create);
    const [authorise] = await stage(
      'wallet deployed',
      bySession,
      /signer address has to be/,
      /MISSING +session key: .* is not authorised/,
      ...named,
    );
    await ownerSends(authorise);
    await stage(
      'session key authorised',
      bySession,
      /terms of service not accepted/,
      /unknown +terms of service/,
      ...named,
    );
    await admin({ address: wallet, terms: true });
    const [approve] = await stage(
      'terms accepted',
      bySession,
      /allowance is not enough/,
      /MISSING +approvals: 0 of 9/,
      ...named,
    );
    await ownerSends(approve);
    // The exchange still shows the old approvals until setup refreshes them.
    await stage('approved', bySession, /allowance is not enough/, /ok +approvals: 9 of 9/, ...named);
    await stage('refreshed', bySession, /the balance is not enough/, /MISSING +funds: 0\.00 pUSD/, ...named);
    await admin({ address: wallet, usd: 200 });
    await stage(
      'funded',
      bySession,
      /the balance is not enough/,
      /ok +exchange's balance: .*200\.00 pUSD/,
      ...named,
    );
    await stage('ready', bySession, /^accepted$/, /^ready: run npx tallycast trade --live/, ...named);
  });

  it('buys, is paid for what won, and writes off what lost', async (t) => {
    const { signer } = await discoverWallet({ account: session, wallet, chain: chain(), relayer: relayer() });
    const journal = openJournal(':memory:');
    let items = [won, lost].map(toItem);
    const executor = createExecutor({
      venue: await openVenue(signer!),
      journal,
      clock,
      logger: silentLogger,
      rules: {
        caps: { orderUsd: 20, eventUsd: 50, accountUsd: 80, dayUsd: 60, totalUsd: 100 },
        ...{ minGainPerUsd: 0.05, minSecondsLeft: 0, minPricePips: 200, maxPricePips: 9500 },
      },
      limits: { dayLossUsd: 100, totalLossUsd: 100 },
      canaryFills: 0,
      readAdvice: async () => ({ madeTs: clock.now(), items, blockedBy: null }),
      readKillSwitch: () => null,
      isFlattening: () => false,
    });
    const turn = async (stepMs: number) => {
      clock.advance(stepMs);
      simulator.exchange.advance(clock.now());
      return executor.cycle();
    };
    for (let i = 0; i < 4; i++) assert.deepEqual((await turn(5_000)).halts, []);
    items = [];
    const held = [...executor.books().positions.values()].filter(({ confirmedMicro }) => confirmedMicro > 0);
    assert.equal(held.length, 2, 'bought both');
    await turn(won.event.endTs - clock.now() + 2 * DAY_MS);
    const settled = () => journal.entries().filter((entry) => entry.kind === 'settlement');
    for (let i = 0; i < 40 && settled().length < 2; i++) await turn(61_000);
    const results = settled().map((entry) => [entry.tokenId, entry.how, entry.paidMicro > 0]);
    assert.deepEqual(
      results.toSorted(),
      [
        [tokenOf(won), 'redeemed', true],
        [tokenOf(lost), 'written-off', false],
      ].toSorted(),
    );
    const { halts, profitUsd } = await turn(61_000);
    assert.deepEqual(halts, []);
    const cash = simulator.exchange.core.ledger.balance(wallet.toLowerCase(), 'usd');
    assert.equal(executor.books().cashMicro, cash, 'the books equal the chain');
    t.diagnostic(
      `redeemed and written off; profit ${profitUsd.toFixed(2)} USD, cash ${(cash / MICRO).toFixed(2)} USD`,
    );
  });
});

function tokenOf({ market, side }: MarketRef): string {
  return market.tokenIds[side];
}

/** A token that will win and one that will lose, both in version 2 or 1 markets that trade now. */
function pickMarkets(): [MarketRef, MarketRef] {
  const later = createSimulatorState({
    seed: SEED,
    anchorTs: ANCHOR_TS,
    clock: createManualClock(START_TS + 10 * DAY_MS),
  });
  const laterTs = later.now();
  const book = later.countEvents;
  const found: MarketRef[] = [];
  for (const event of book.list(START_TS)) {
    if (event.kind !== 'count' || event.startTs > START_TS || event.endTs < START_TS + 6 * HOUR_MS) continue;
    if (event.endTs > START_TS + 7 * DAY_MS || found.length === 2) continue;
    const prices = book.prices(event, START_TS);
    for (const market of book.markets(event)) {
      const { bid, ask } = prices[market.index]!;
      const { winner } = book.prices(event, laterTs)[market.index]!;
      if (bid === null || ask === null || bid < 0.1 || ask > 0.85 || winner === null) continue;
      const side = found.length === 0 ? winner : winner === 0 ? 1 : 0;
      if (found.length < 2) found.push({ book, event, market, side });
    }
  }
  assert.equal(found.length, 2, 'two markets to trade');
  return [found[0]!, found[1]!];
}

function toItem(ref: MarketRef): AdviceItem {
  return {
    account: 'account_a',
    eventId: ref.event.eventId,
    bucket: ref.market.label,
    outcome: ref.side === 0 ? 'Yes' : 'No',
    action: 'BUY',
    tokenId: tokenOf(ref),
    limitPips: 9000,
    targetMicro: 20 * MICRO,
    depthMicro: null,
    gainPerUsd: 0.2,
    probability: 0.9,
    secondsLeft: 7200,
    edgeKind: 'model',
    blockedBy: null,
  };
}
