// Shows and controls a trader through its folder: report, export, halts.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MICRO } from '../../domain/units.ts';
import { UsageError } from '../../runtime/errors.ts';
import { openControl } from '../../trading/executor/control.ts';
import { ACCEPTED_TRANSFER, CASH_DIFFERENCE } from '../../trading/executor/reconcile.ts';
import { readRedemptions } from '../../trading/executor/redeem.ts';
import { countRefusals, describeRefusal, findRepeatedRefusal } from '../../trading/executor/refusals.ts';
import { type Journal, openJournal, readMarks } from '../../trading/journal/journal.ts';
import { describeReport, equityCsv, fillsCsv } from '../../trading/report/describe-report.ts';
import { makeReport } from '../../trading/report/report.ts';
import { type TradeValues, tradingFolder } from './options.ts';

const LAST_TURN = 'last-turn';

function openTradingJournal(values: TradeValues): Journal {
  const file = join(tradingFolder(values), 'journal.sqlite');
  if (!existsSync(file))
    throw new UsageError(`no journal in ${tradingFolder(values)}; nothing has been traded yet`);
  return openJournal(file);
}

function read(journal: Journal) {
  return {
    intents: journal.intents(),
    fills: journal.fills(),
    entries: journal.entries(),
    equity: journal.equity(),
    priced: readMarks(journal),
  };
}

export function reportTrading(values: TradeValues, action: string): string {
  return withJournal(values, (journal) =>
    action === 'report' ? describeReport(makeReport(read(journal))) : listStatus(values, journal).join('\n'),
  );
}

function listStatus(values: TradeValues, journal: Journal): string[] {
  const control = openControl(tradingFolder(values));
  const stop = control.readKillSwitch();
  const halts = journal
    .halts()
    .map(({ kind, reason }) => `${kind}: ${reason} (end with: trade resume --after-loss)`);
  return [
    journal.note(LAST_TURN) ?? 'no trading cycle yet',
    ...(stop === null ? [] : [`stopped: ${stop}`]),
    ...(control.isFlattening()
      ? ['flattened: selling every position, buying is off (end with: trade resume)']
      : []),
    ...halts,
    ...countRefusals(journal).map(describeRefusal),
    ...describeRedemptions(journal),
  ].map(withoutEscapes);
}

function describeRedemptions(journal: Journal): string[] {
  return Object.entries(readRedemptions(journal)).map(([tokenId, { id, reason }]) =>
    id === null
      ? `won, not redeemed: token ${tokenId}: ${reason}. Redeem it at polymarket.com, or run npx tallycast trade setup.`
      : `redeeming token ${tokenId} (${id})`,
  );
}

/** Shows what the operator moved, and books it once they confirm the amount. */
export function acceptTransfer(values: TradeValues): string {
  return withJournal(values, (journal) => {
    const deltaMicro = Number(journal.note(CASH_DIFFERENCE) || 0);
    if (deltaMicro === 0) return 'nothing to accept: the books match the exchange';
    const amount = (deltaMicro / MICRO).toFixed(2);
    const shown = `the exchange shows ${amount} USD more than the books`;
    if (values.usd === undefined)
      return `${shown}. If you ${deltaMicro > 0 ? 'deposited' : 'withdrew'} it, run npx tallycast trade accept-transfer --usd=${amount}`;
    if (Number(values.usd) !== Number(amount)) throw new UsageError(`--usd ${values.usd}: ${shown}`);
    journal.setNote(ACCEPTED_TRANSFER, String(deltaMicro));
    return `accepted ${amount} USD; the trader books it in its next cycle`;
  });
}

/** Labels and reasons come from others and must not control the terminal. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

export function exportTrading(values: TradeValues, isEquity: boolean): string {
  return withJournal(values, (journal) =>
    isEquity ? equityCsv(makeReport(read(journal))) : fillsCsv(journal.fills(), journal.intents()),
  );
}

function withJournal<T>(values: TradeValues, run: (journal: Journal) => T): T {
  const journal = openTradingJournal(values);
  try {
    return run(journal);
  } finally {
    journal.close();
  }
}

export function controlTrading(values: TradeValues, action: string, nowTs: number): string {
  const control = openControl(tradingFolder(values));
  if (action === 'resume') {
    control.resume();
    return values['after-loss'] === true ? liftHalts(values, nowTs) : 'trading again';
  }
  if (action === 'stop') control.stop('stopped by command');
  else control.flatten('flattened by command');
  return `${action}: takes effect within a second while the trader runs`;
}

function liftHalts(values: TradeValues, nowTs: number): string {
  return withJournal(values, (journal) => {
    const refused = findRepeatedRefusal(journal) === null ? 0 : 1;
    return `trading again; lifted ${journal.liftHalts(nowTs)} loss limits and ${refused} repeated refusals`;
  });
}

export function keepLastTurn(journal: Journal, line: string): void {
  journal.setNote(LAST_TURN, line);
}
