// The executor as a killable process: runs one turn per input line, at the time given in the line, and prints
// its books.

import { createInterface } from 'node:readline';
import { privateKeyToAccount } from 'viem/accounts';
import { createManualClock } from '../../../src/runtime/clock.ts';
import { errorMessage } from '../../../src/runtime/errors.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { openControl } from '../../../src/trading/executor/control.ts';
import { type CycleReport, createExecutor } from '../../../src/trading/executor/cycle.ts';
import { openJournal } from '../../../src/trading/journal/journal.ts';
import { describeReport } from '../../../src/trading/report/describe-report.ts';
import { makeReport } from '../../../src/trading/report/report.ts';
import type { Advice, Venue } from '../../../src/trading/types.ts';
import { openKalshiVenue } from '../../../src/trading/venue/kalshi/venue.ts';
import { openPolymarketVenue } from '../../../src/trading/venue/polymarket/venue.ts';
import { openChain } from '../../../src/trading/venue/polymarket/wallet/chain.ts';
import { openRelayer } from '../../../src/trading/venue/polymarket/wallet/relayer.ts';
import type { ChildSetup, TurnReport } from './turn-report.ts';

const setup = JSON.parse(process.argv[2] ?? '{}') as ChildSetup;
const clock = createManualClock(setup.startTs);
const journal = openJournal(`${setup.folder}/journal.sqlite`);
const control = openControl(setup.folder);

function openVenue({ venue, timeoutMs }: ChildSetup): Venue | Promise<Venue> {
  const { url } = venue;
  if (venue.name === 'kalshi') return openKalshiVenue({ url, key: venue.key, clock, timeoutMs });
  const account = privateKeyToAccount(venue.key);
  return openPolymarketVenue({
    url,
    geoblockUrl: null,
    gammaUrl: url.replace(/clob$/, 'gamma'),
    signer: { account, wallet: venue.wallet, kind: 'deposit', form: 'wrapped', isSession: true },
    chain: openChain(url.replace(/clob$/, 'polygon')),
    relayer: openRelayer({
      url: url.replace(/clob$/, 'relayer'),
      key: { apiKey: 'lab', address: account.address },
    }),
    feePaidIn: 'shares',
    clock,
    timeoutMs,
  });
}

async function open() {
  return createExecutor({
    venue: await openVenue(setup),
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

let fillsSeen = 0;
let opened: Awaited<ReturnType<typeof open>> | null = null;

/** If the exchange issued no key, the next turn retries. */
async function turn(ts: number): Promise<TurnReport> {
  clock.step(ts - clock.now());
  try {
    opened ??= await open();
  } catch (error) {
    const nothing = { cashMicro: 0, shares: {}, open: [], sent: 0, marks: {}, profitUsd: 0, sums: [] };
    return { ts, halts: [`no venue: ${errorMessage(error)}`], ...nothing };
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
    sent: journal.unreleased().filter(({ createdTs }) => createdTs === ts).length,
    marks: Object.fromEntries(report.marks),
    ...checkReport(report),
  };
}

/** Cash and positions at the market minus the start are the profit: in the report, as shown, and of the cycle. */
function checkReport({ ts, marks, profitUsd }: CycleReport): Pick<TurnReport, 'sums' | 'profitUsd'> {
  const made = makeReport({
    intents: journal.intents(),
    fills: journal.fills(),
    entries: journal.entries(),
    equity: journal.equity(),
    priced: { ts, marks },
  });
  const text = describeReport(made);
  const read = (pattern: RegExp) => Math.round(100 * Number(pattern.exec(text)?.[1]));
  const shownCents =
    read(/^Cash +(\S+)/m) + read(/plus (\S+) USD in positions/) - read(/^Starting capital +(\S+)/m);
  const sums: string[] = [];
  if (shownCents !== read(/^Profit +(\S+)/m)) sums.push(`shown figures do not add up: ${text}`);
  const summedUsd = made.cashUsd + made.positionsUsd - made.startUsd;
  if (Math.abs(summedUsd - made.profitUsd) > 1e-9) sums.push(`profit ${made.profitUsd}, summed ${summedUsd}`);
  // Fills may arrive after the cycle has computed its profit.
  if (journal.fills().length === fillsSeen && Math.abs(made.profitUsd - profitUsd) > 1e-9)
    sums.push(`profit ${made.profitUsd} in the report, ${profitUsd} in the cycle`);
  fillsSeen = journal.fills().length;
  return { sums, profitUsd: made.profitUsd };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await turn(Number(line)))}\n`);
