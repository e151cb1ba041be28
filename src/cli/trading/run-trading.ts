// Assembles a trader and runs it until stopped.

import { join } from 'node:path';
import type { Tallycast } from '../../../packages/client-js/src/index.ts';
import { createTelegramClient } from '../../alerts/channels/telegram-client.ts';
import { MICRO } from '../../domain/units.ts';
import { StartError, UsageError } from '../../runtime/errors.ts';
import { watchInvariants } from '../../runtime/invariants.ts';
import type { Logger } from '../../runtime/logger.ts';
import { openLogger } from '../../runtime/open-logger.ts';
import { makePrivateFolder } from '../../runtime/private-files.ts';
import { computeBooks } from '../../trading/books/books.ts';
import { type Control, openControl } from '../../trading/executor/control.ts';
import { type CycleParts, createExecutor } from '../../trading/executor/cycle.ts';
import { toAdvice } from '../../trading/executor/read-advice.ts';
import { createRunner, describeSkipped, describeTurn, type Runner } from '../../trading/executor/runner.ts';
import { runTelegramControl } from '../../trading/executor/telegram-control.ts';
import { type Journal, lockTrader, openJournal } from '../../trading/journal/journal.ts';
import { createPaperVenue } from '../../trading/paper/paper-venue.ts';
import type { Venue } from '../../trading/types.ts';
import { openKalshiVenue } from '../../trading/venue/kalshi/venue.ts';
import { openMarketFeed } from '../../trading/venue/polymarket/market-feed.ts';
import { openPolymarketVenue } from '../../trading/venue/polymarket/venue.ts';
import { discoverWallet } from '../../trading/venue/polymarket/wallet/discover-wallet.ts';
import { note, print, type Terminal, untilStopped } from '../command.ts';
import { awaitService } from './await-service.ts';
import { explainUnreachable, openWallet, readKalshiKey } from './check-setup.ts';
import { keepLastTurn } from './manage.ts';
import {
  type AcceptedPlace,
  describeSettings,
  fingerprint,
  readSettings,
  readVenue,
  type TradeSettings,
  type TradeValues,
} from './options.ts';
import {
  createClient,
  createMovingPlace,
  followChanges,
  readAdviceUrl,
  readPlace,
  type TradingPlace,
} from './place.ts';

const ACCEPTED = 'accepted';

interface Opened {
  venue: Venue;
  /** Address of the exchange. */
  url: string;
  wallet: string;
  close(): void;
}

export async function runTrading(values: TradeValues, terminal: Terminal): Promise<number | undefined> {
  if (values.live === true && values.paper === true) throw new UsageError('pass --paper or --live, not both');
  const settings = readSettings(values);
  const logger = openLogger({ logLevel: terminal.env.LOG_LEVEL ?? 'info', logFormat: 'auto' });
  const client = createClient(values, terminal);
  const adviceUrl = readAdviceUrl(values, terminal);
  const read = () => readPlace(client, values, settings.isLive, terminal.clock);
  const first = await awaitService(adviceUrl, terminal, read);
  if (first === null) return undefined;
  // Real orders go only to the address that the operator accepted.
  const place = settings.isLive ? first : createMovingPlace(first, read);
  const invariants = watchInvariants(logger, terminal.clock);
  makePrivateFolder(settings.folder);
  const unlock = lockTrader(settings.folder);
  const journal = openJournal(join(settings.folder, 'journal.sqlite'));
  const control = openControl(settings.folder);
  let opened: Opened | null = null;
  try {
    opened = settings.isLive
      ? await openLive(values, terminal, place, logger)
      : openPaper(settings, place, journal, logger);
    const parts = assemble(settings, place, journal, control, client, opened.venue, logger);
    const accepted = { exchange: opened.url, wallet: opened.wallet, adviceUrl };
    if (settings.isLive && !isAccepted(values, settings, accepted, journal))
      return await showFirst(parts, settings, accepted, terminal);
    return await trade(parts, settings, terminal, client, { ...place, url: opened.url });
  } finally {
    opened?.close();
    journal.close();
    unlock();
    invariants.stop();
  }
}

function assemble(
  settings: TradeSettings,
  place: TradingPlace,
  journal: Journal,
  control: Control,
  client: Tallycast,
  venue: Venue,
  logger: Logger,
): CycleParts {
  return {
    venue,
    journal,
    clock: place.clock,
    logger,
    rules: settings.rules,
    limits: settings.limits,
    canaryFills: settings.canaryFills,
    async readAdvice() {
      const [answer, health] = await Promise.all([
        client.opportunities({ bankroll: settings.bankrollUsd, limit: 100 }),
        client.health(),
      ]);
      return toAdvice(answer, health, settings.trust);
    },
    readKillSwitch: control.readKillSwitch,
    isFlattening: control.isFlattening,
  };
}

function openPaper(settings: TradeSettings, place: TradingPlace, journal: Journal, logger: Logger): Opened {
  const feed = openMarketFeed({ ...place, logger });
  if (journal.entries().length === 0)
    journal.addEntry({ kind: 'start', ts: 0, cashMicro: settings.bankrollUsd * MICRO });
  const books = computeBooks(journal.entries(), journal.fills());
  // An earlier run's orders ended with it, as they do on the exchange.
  for (const { orderId } of journal.unreleased())
    journal.release(orderId, 'closed', 'the trader was stopped', place.clock.now());
  const venue = createPaperVenue({
    feed,
    clock: place.clock,
    cashMicro: books.confirmedCashMicro,
    shares: new Map([...books.positions].map(([tokenId, { confirmedMicro }]) => [tokenId, confirmedMicro])),
  });
  return { venue, url: place.url, wallet: 'paper', close: feed.close };
}

async function openLive(
  values: TradeValues,
  terminal: Terminal,
  place: TradingPlace,
  logger: Logger,
): Promise<Opened> {
  if (readVenue(values) === 'kalshi') {
    const key = readKalshiKey(values, terminal);
    const venue = openKalshiVenue({ url: place.kalshiUrl, key, clock: place.clock });
    return { venue, url: place.kalshiUrl, wallet: key.keyId, close: () => {} };
  }
  const wallet = openWallet(values, terminal, place);
  try {
    const { signer, problem } = await discoverWallet(wallet);
    if (signer === null) throw new StartError(problem);
    const venue = await openPolymarketVenue({
      ...place,
      ...wallet,
      signer,
      userStream: { url: place.userSocketUrl, clock: terminal.clock, logger },
    });
    return { venue, url: place.url, wallet: signer.wallet, close: () => {} };
  } catch (error) {
    throw explainUnreachable(error, place);
  }
}

function isAccepted(
  values: TradeValues,
  settings: TradeSettings,
  place: AcceptedPlace,
  journal: Journal,
): boolean {
  const code = fingerprint(settings, place);
  if (journal.note(ACCEPTED) === code) return true;
  if (values.accept === undefined) return false;
  if (values.accept !== code)
    throw new UsageError(`--accept ${values.accept} is for other settings; these are ${code}`);
  journal.setNote(ACCEPTED, code);
  return true;
}

/** Prints what the trader would do now, without sending orders. */
async function showFirst(
  parts: CycleParts,
  settings: TradeSettings,
  place: AcceptedPlace,
  terminal: Terminal,
): Promise<undefined> {
  const { venue } = parts;
  const { redemption: _, ...others } = venue;
  const silent: Venue = { ...others, heartbeat: async () => {}, cancelAll: async () => [] };
  const executor = createExecutor({ ...parts, venue: silent, isDryRun: true });
  const report = await executor.cycle();
  const code = fingerprint(settings, place);
  print(terminal, `wallet ${place.wallet} on ${place.exchange}, advice from ${place.adviceUrl}`);
  for (const line of describeSettings(settings)) print(terminal, line);
  print(terminal, describeTurn(report, 'would do now'));
  const skipped = describeSkipped(report);
  if (skipped !== null) print(terminal, skipped);
  print(terminal, `Nothing was sent. To trade with these settings, pass --accept ${code}`);
  return undefined;
}

async function trade(
  parts: CycleParts,
  settings: TradeSettings,
  terminal: Terminal,
  client: Tallycast,
  place: TradingPlace,
): Promise<undefined> {
  const mode = settings.isLive ? 'live' : 'paper';
  const signal = terminal.stopSignal();
  let [shown, line] = ['', 'no trading cycle yet'];
  const executor = createExecutor(parts);
  const runner: Runner = createRunner({
    executor,
    journal: parts.journal,
    readKillSwitch: parts.readKillSwitch,
    clock: terminal.clock,
    logger: parts.logger,
    onReport(report) {
      line = describeTurn(report, mode);
      const skipped = describeSkipped(report);
      const text = [line, ...(skipped === null ? [] : [skipped])].join('\n  ');
      if (text !== shown) {
        note(terminal, text);
        keepLastTurn(parts.journal, line);
      }
      shown = text;
    },
  });
  note(terminal, `${mode} trading on ${place.url}; journal and kill switch in ${settings.folder}`);
  await runner.start();
  const unwatch = parts.venue.watch(() => {
    executor.markChanged();
    runner.wake();
  });
  const following = followChanges(client, place.accounts, runner.wake, signal);
  const telegram = startTelegram(parts, settings, terminal, runner, () => line);
  await untilStopped(signal);
  unwatch();
  await runner.stop();
  await Promise.all([following, telegram]);
  return undefined;
}

function startTelegram(
  { logger }: CycleParts,
  settings: TradeSettings,
  { env, clock, stopSignal }: Terminal,
  runner: Runner,
  describe: () => string,
): Promise<void> {
  const [token, chatId] = [env.TALLYCAST_TRADING_TELEGRAM_TOKEN, env.TALLYCAST_TRADING_TELEGRAM_CHAT];
  if (!token || !chatId) return Promise.resolve();
  const personId = env.TALLYCAST_TRADING_TELEGRAM_USER || chatId;
  const client = createTelegramClient({ baseUrl: env.TELEGRAM_URL || 'https://api.telegram.org', token });
  const control = openControl(settings.folder);
  return runTelegramControl(
    { client, chatId, personId, control, describe, wake: runner.wake, clock, logger },
    stopSignal(),
  );
}
