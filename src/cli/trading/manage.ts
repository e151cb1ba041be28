// Shows and controls a trader through its folder: report, page, export, halts.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MICRO } from '../../domain/units.ts';
import { errorMessage, UsageError } from '../../runtime/errors.ts';
import { readSharedStyle } from '../../server/shared-style.ts';
import { computeBooks } from '../../trading/books/books.ts';
import { openControl } from '../../trading/executor/control.ts';
import { ACCEPTED_TRANSFER, CASH_DIFFERENCE } from '../../trading/executor/reconcile.ts';
import { readRedemptions } from '../../trading/executor/redeem.ts';
import { countRefusals, describeRefusal, findRepeatedRefusal } from '../../trading/executor/refusals.ts';
import { type Journal, openJournal, readMarks } from '../../trading/journal/journal.ts';
import { describeReport, equityCsv, fillsCsv } from '../../trading/report/describe-report.ts';
import { makeReport } from '../../trading/report/report.ts';
import { REFRESH_SCRIPT, renderTradingPage } from '../../trading/report/report-page.ts';
import { readNumberWithin } from '../arguments.ts';
import { note, type Terminal, untilStopped } from '../command.ts';
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
    .map(({ kind, reason }) => `${kind}: ${reason} (lift with: tallycast trade lift)`);
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

export function renderTrading(values: TradeValues): string {
  return withJournal(values, (journal) => {
    const input = read(journal);
    return renderTradingPage({
      mode: values.live === true ? 'live' : 'paper',
      status: listStatus(values, journal),
      report: makeReport(input),
      positions: [...computeBooks(input.entries, input.fills).positions.values()],
      intents: input.intents,
      fills: input.fills,
      marks: input.priced?.marks ?? new Map(),
      prices: new Map(input.fills.map(({ tokenId }) => [tokenId, journal.prices(tokenId)])),
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
    const refused = findRepeatedRefusal(journal) === null ? 0 : 1;
    const lifted = journal.liftHalts(nowTs);
    journal.close();
    return `lifted ${lifted} loss limits and ${refused} repeated refusals`;
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

const DEFAULT_PORT = 8090;
const HOST = '127.0.0.1';
/** Any other host name means another site's page points here (DNS rebinding). */
const OWN_NAME = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const TEXT = 'text/plain; charset=utf-8';
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; connect-src 'self'; frame-ancestors 'none'",
};

export async function serveTradingPage(values: TradeValues, terminal: Terminal): Promise<void> {
  const port =
    typeof values.port === 'string' ? readNumberWithin('--port', values.port, 0, 65_535) : DEFAULT_PORT;
  const server = createServer((request, response) => answer(values, request, response));
  server.listen(port, HOST);
  await once(server, 'listening');
  note(terminal, `open http://${HOST}:${(server.address() as AddressInfo).port}/`);
  await untilStopped(terminal.stopSignal());
  server.closeAllConnections();
  server.close();
}

function answer(values: TradeValues, request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, type: string, body: string | Buffer) =>
    response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body);
  const style = readSharedStyle().find(({ path }) => path === request.url);
  if (!OWN_NAME.test(request.headers.host ?? '')) return void send(421, TEXT, 'This machine only.\n');
  if (request.method !== 'GET') return void send(405, TEXT, 'GET only.\n');
  try {
    if (request.url === '/') send(200, 'text/html; charset=utf-8', renderTrading(values));
    else if (request.url === '/refresh.js') send(200, 'text/javascript; charset=utf-8', REFRESH_SCRIPT);
    else if (style) send(200, style.type, style.bytes);
    else if (request.url === '/fills.csv') send(200, 'text/csv; charset=utf-8', exportTrading(values, false));
    else if (request.url === '/equity.csv') send(200, 'text/csv; charset=utf-8', exportTrading(values, true));
    else send(404, TEXT, 'Not found.\n');
  } catch (error) {
    send(500, TEXT, `${errorMessage(error)}\n`);
  }
}
