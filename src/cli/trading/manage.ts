// Commands that control or inspect a running trader: status, stop, lift, export.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../runtime/errors.ts';
import { computeBooks } from '../../trading/books/books.ts';
import { openControl } from '../../trading/executor/control.ts';
import { type Journal, openJournal } from '../../trading/journal/journal.ts';
import { describeReport, equityCsv, fillsCsv } from '../../trading/report/describe-report.ts';
import { makeReport } from '../../trading/report/report.ts';
import { renderTradingPage } from '../../trading/report/report-page.ts';
import { type TradeValues, tradingFolder } from './options.ts';

const LAST_TURN = 'last-turn';

export function openTradingJournal(values: TradeValues): Journal {
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
  };
}

export function reportTrading(values: TradeValues, action: string): string {
  return withJournal(values, (journal) =>
    action === 'report' ? describeReport(makeReport(read(journal))) : listStatus(values, journal).join('\n'),
  );
}

function listStatus(values: TradeValues, journal: Journal): string[] {
  const stop = openControl(tradingFolder(values)).readKillSwitch();
  const halts = journal
    .halts()
    .map(({ kind, reason }) => `${kind}: ${reason} (lift with: tallycast trade lift)`);
  return [
    journal.note(LAST_TURN) ?? 'no trading cycle yet',
    ...(stop === null ? [] : [`stopped: ${stop}`]),
    ...halts,
  ];
}

export function exportTrading(values: TradeValues, isEquity: boolean): string {
  return withJournal(values, (journal) =>
    isEquity ? equityCsv(makeReport(read(journal))) : fillsCsv(journal.fills(), journal.intents()),
  );
}

export function renderTrading(values: TradeValues): string {
  return withJournal(values, (journal) => {
    const input = read(journal);
    return renderTradingPage({
      mode: values.live === true ? 'live' : 'paper',
      status: listStatus(values, journal),
      report: makeReport(input),
      positions: [...computeBooks(input.entries, input.fills).positions.values()],
      intents: input.intents,
    });
  });
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
  if (action === 'lift') {
    const journal = openTradingJournal(values);
    const lifted = journal.liftHalts(nowTs);
    journal.close();
    return `lifted ${lifted} loss limits`;
  }
  const control = openControl(tradingFolder(values));
  if (action === 'stop') control.stop('stopped by command');
  else if (action === 'flatten') control.flatten('flattened by command');
  else control.resume();
  return action === 'resume'
    ? 'trading again'
    : `${action}: takes effect within a second while the trader runs`;
}

export function keepLastTurn(journal: Journal, line: string): void {
  journal.setNote(LAST_TURN, line);
}
