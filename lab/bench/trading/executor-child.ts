// The executor as a killable process: runs one turn per input line, at the time given in the line, and prints
// its books.

import { createInterface } from 'node:readline';
import { privateKeyToAccount } from 'viem/accounts';
import { createManualClock } from '../../../src/runtime/clock.ts';
import { errorMessage } from '../../../src/runtime/errors.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { openControl } from '../../../src/trading/executor/control.ts';
import { createExecutor } from '../../../src/trading/executor/cycle.ts';
import { openJournal } from '../../../src/trading/journal/journal.ts';
import type { Advice } from '../../../src/trading/types.ts';
import { openPolymarketVenue } from '../../../src/trading/venue/polymarket/venue.ts';
import { openChain } from '../../../src/trading/venue/polymarket/wallet/chain.ts';
import { openRelayer } from '../../../src/trading/venue/polymarket/wallet/relayer.ts';
import type { ChildSetup, TurnReport } from './turn-report.ts';

const setup = JSON.parse(process.argv[2] ?? '{}') as ChildSetup;
const clock = createManualClock(setup.startTs);
const account = privateKeyToAccount(setup.key);
const journal = openJournal(`${setup.folder}/journal.sqlite`);
const control = openControl(setup.folder);

async function open() {
  const venue = await openPolymarketVenue({
    url: setup.exchangeUrl,
    geoblockUrl: null,
    gammaUrl: setup.exchangeUrl.replace(/clob$/, 'gamma'),
    signer: { account, wallet: setup.wallet, kind: 'deposit', form: 'wrapped', isSession: true },
    chain: openChain(setup.exchangeUrl.replace(/clob$/, 'polygon')),
    relayer: openRelayer({
      url: setup.exchangeUrl.replace(/clob$/, 'relayer'),
      key: { apiKey: 'lab', address: account.address },
    }),
    feePaidIn: 'shares',
    clock,
    timeoutMs: setup.timeoutMs,
  });
  return createExecutor({
    venue,
    journal,
    clock,
    logger: silentLogger,
    rules: setup.rules,
    limits: setup.limits,
    canaryFills: 0,
    readAdvice: async () => (await (await fetch(setup.adviceUrl)).json()) as Advice,
    readKillSwitch: control.readKillSwitch,
    isFlattening: control.isFlattening,
  });
}

let opened: Awaited<ReturnType<typeof open>> | null = null;

/** If the exchange issued no key, the next turn retries. */
async function turn(ts: number): Promise<TurnReport> {
  clock.step(ts - clock.now());
  try {
    opened ??= await open();
  } catch (error) {
    return { ts, halts: [`no venue: ${errorMessage(error)}`], cashMicro: 0, shares: {}, open: [] };
  }
  const report = await opened.cycle();
  // The operator lifts a halt for repeated refusals, which a fault may cause.
  if (report.halts.some(({ kind }) => kind === 'refused-orders')) journal.liftHalts(clock.now());
  const books = opened.books();
  const held = [...books.positions.values()].filter(({ confirmedMicro }) => confirmedMicro !== 0);
  return {
    ts,
    halts: report.halts.map(({ kind, reason }) => `${kind}: ${reason}`),
    cashMicro: books.confirmedCashMicro,
    shares: Object.fromEntries(held.map(({ tokenId, confirmedMicro }) => [tokenId, confirmedMicro])),
    open: journal
      .unreleased()
      .filter(({ state }) => state === 'open')
      .map(({ orderId }) => orderId),
  };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await turn(Number(line)))}\n`);
