// Checks an account's oracle and market: counts, events and prices.

import type { MarketEvent } from '../../domain/market-event.ts';
import { isGhostBook, type Quote } from '../../domain/quote.ts';
import { DAY_MS } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { AccountSources, MarketListing, OracleTracking, SkippedItem, Sources } from '../source.ts';
import { ShapeError } from '../wire-reader.ts';
import { ago, attempt, type DoctorOptions, type Finding, finding, type Look, nameField } from './finding.ts';

const STALE_SYNC_MS = 30 * 60_000;

export async function checkCounts(
  entry: AccountSources,
  options: DoctorOptions,
  findings: Finding[],
): Promise<OracleTracking[]> {
  const look: Look = {
    capability: 'counts',
    account: entry.account.segment,
    settings: ['ORACLE_BASE_URL', nameField(entry.account, 'HANDLE', options)],
  };
  let found: OracleTracking[] = [];
  const made = await attempt(look, options, async (signal) => {
    const read = await entry.oracle.fetchTrackings(options.clock.now(), signal);
    found = read.trackings;
    return [...describeTrackings(look, found, options), ...describeUnread(look, read.skipped)];
  });
  findings.push(...made);
  return found;
}

function describeUnread(look: Look, skipped: readonly SkippedItem[]): Finding[] {
  const [first] = skipped;
  if (!first) return [];
  const message = `${skipped.length} tracking(s) cannot be used: ${first.what}: ${first.reason}`;
  return [{ ...finding(look, 'warning', message), isUnreadable: true }];
}

const WAIT = 'Nothing to set. Signals wait for the oracle; see the posts check for our own count.';

function describeTrackings(
  look: Look,
  trackings: readonly OracleTracking[],
  options: DoctorOptions,
): Finding[] {
  const counted = trackings.filter((tracking) => tracking.count !== null);
  if (counted.length === 0)
    return [finding(look, 'warning', 'the oracle responds but has no running count for this account')];
  const lastSyncTs = Math.max(...counted.map((tracking) => tracking.lastSyncTs ?? 0));
  const message = `${counted.length} running oracle counts`;
  const failed = counted.find(({ syncError }) => syncError !== null);
  if (failed)
    return [finding(look, 'warning', `${message}, but its last sync failed: ${failed.syncError}`, WAIT)];
  if (lastSyncTs > 0 && options.clock.now() - lastSyncTs > STALE_SYNC_MS) {
    const stall = `${message}, but it last synced ${ago(lastSyncTs, options)}`;
    return [finding(look, 'warning', stall, WAIT)];
  }
  return [finding(look, 'ok', lastSyncTs > 0 ? `${message}, as of ${ago(lastSyncTs, options)}` : message)];
}

export async function checkEvents(
  entry: AccountSources,
  trackings: readonly OracleTracking[],
  options: DoctorOptions,
  findings: Finding[],
): Promise<MarketEvent[]> {
  const look: Look = {
    capability: 'events',
    account: entry.account.segment,
    settings: ['MARKET_GAMMA_BASE_URL', nameField(entry.account, 'SERIES', options)],
  };
  let events: MarketEvent[] = [];
  const made = await attempt(look, options, async (signal) => {
    const listing = await entry.market.fetchEvents(trackings, signal);
    events = listing.events;
    return describeListing(look, listing);
  });
  findings.push(...made);
  return events;
}

function describeListing(look: Look, listing: MarketListing): Finding[] {
  const alarms = listing.alarms.slice(0, 5).map((message) => {
    const advice = 'The market has changed its API; you need a newer version of this service.';
    return finding(look, 'problem', message, advice);
  });
  // Events that cannot be followed are a warning if other events can; otherwise a problem.
  const missedVerdict = listing.events.length === 0 ? 'problem' : 'warning';
  const missed = listing.missed
    .slice(0, 5)
    .map((message) =>
      finding(look, missedVerdict, message, 'Its page has an unknown format. Read its rules.'),
    );
  if (listing.events.length === 0) {
    const advice = `Check ${look.settings[1]}: no open event belongs to it.`;
    const nothing = finding(look, 'warning', `no event; ${listing.rejected.length} skipped`, advice);
    return [nothing, ...alarms, ...missed];
  }
  const findings = [
    finding(look, 'ok', `${listing.events.length} open events, ${listing.rejected.length} skipped`),
    ...alarms,
    ...missed,
    ...listing.oddities.slice(0, 5).map((message) => finding(look, 'warning', message)),
  ];
  for (const { title, conflict } of listing.conflicts.slice(0, 5)) {
    const message = `'${title}': sources disagree about its window (${conflict})`;
    findings.push(finding(look, 'warning', message, 'Read its rules.'));
  }
  if ([...listing.uiCounts.values()].every((count) => count === null)) {
    findings.push(
      finding(look, 'warning', 'no event includes the count shown on its page, so that counter stays null'),
    );
  }
  return findings;
}

export async function checkPrices(
  sources: Sources,
  entry: AccountSources,
  events: readonly MarketEvent[],
  options: DoctorOptions,
): Promise<Finding[]> {
  const open = events.flatMap((event) => event.buckets.filter((bucket) => bucket.isOpen)).slice(0, 10);
  const ids = open.map((bucket) => bucket.yesTokenId);
  const account = entry.account.segment;
  const books: Look = { capability: 'prices', account, settings: ['MARKET_CLOB_BASE_URL'] };
  const stream: Look = { capability: 'prices', account, settings: ['MARKET_WS_URL'] };
  if (ids.length === 0) return [finding(books, 'warning', 'not checked: no open bucket')];
  const asked = await attempt(books, options, async (signal) => {
    const quotes = await sources.quotes.fetchQuotes(ids, signal);
    if (quotes.length === 0)
      return [finding(books, 'warning', 'the source responds but has none of the books')];
    if (quotes.every(isEmptyBook))
      return [
        finding(
          books,
          'warning',
          'every book is empty (bid 0.01, ask 0.99): using listed prices',
          'Nothing to set: this usually passes within minutes.',
        ),
      ];
    return [finding(books, 'ok', `${quotes.length} of ${ids.length} books read`)];
  });
  const heard = await attempt(stream, options, async (signal) => {
    const broken: string[] = [];
    const onBroken = (problem: string) => void broken.push(problem);
    try {
      await firstCall(
        signal,
        (onCall, within) => sources.quotes.openQuoteStream(ids, { onQuote: onCall, onBroken }, within).ended,
        options,
      );
    } catch (error) {
      throw broken.length > 0 ? new ShapeError(broken[0]!) : error;
    }
    const pushed = finding(stream, 'ok', 'prices are pushed');
    const odd = broken.slice(0, 1).map((problem) => finding(stream, 'warning', problem));
    return [pushed, ...odd.map((one): Finding => ({ ...one, isUnreadable: true }))];
  });
  return eitherServes(asked, heard);
}

function isEmptyBook({ bid, ask }: Quote): boolean {
  return bid !== null && ask !== null && isGhostBook(bid, ask);
}

/** Polled or pushed books alone are enough: one failing is a warning, both failing is a problem. */
function eitherServes(asked: Finding[], heard: Finding[]): Finding[] {
  const isDown = (findings: readonly Finding[]) => findings.some(({ verdict }) => verdict === 'problem');
  if (isDown(asked) === isDown(heard)) return [...asked, ...heard];
  // A refused stream is a warning; an unreadable one stays a problem, because it will not recover by itself.
  return [...asked, ...heard].map((one) =>
    one.verdict === 'problem' && !one.isUnreadable ? { ...one, verdict: 'warning' as const } : one,
  );
}

const SETTLED_DAYS = 8;

/** Winners of events that ended in the last few days: needed for the track record and payouts. */
export function checkSettlements(entry: AccountSources, options: DoctorOptions): Promise<Finding[]> {
  const look: Look = {
    capability: 'settlements',
    account: entry.account.segment,
    settings: ['MARKET_GAMMA_BASE_URL', 'MARKET_DATA_BASE_URL'],
  };
  return attempt(look, options, async (signal) => {
    const sinceTs = options.clock.now() - SETTLED_DAYS * DAY_MS;
    const { settled, problem } = await entry.market.fetchSettled(sinceTs, signal);
    const won = settled.filter(({ winningLabel }) => winningLabel !== null);
    const message = `${won.length} of ${settled.length} ended events of the last ${SETTLED_DAYS} days have a winner`;
    return [
      finding(look, 'ok', message),
      ...(problem === null
        ? []
        : [finding(look, 'warning', problem, 'Settlement resumes when it responds.')]),
    ];
  });
}

/** Opens a stream, waits for the first call of its handler, listens as long as requested, then closes it. */
export async function firstCall(
  signal: AbortSignal,
  open: (onCall: () => void, signal: AbortSignal) => Promise<void>,
  { clock, listenMs = 0 }: Pick<DoctorOptions, 'clock' | 'listenMs'>,
): Promise<void> {
  const done = new AbortController();
  let wasCalled = false;
  let cancel = () => {};
  const onCall = () => {
    if (wasCalled) return;
    wasCalled = true;
    if (listenMs === 0) done.abort();
    else cancel = clock.after(listenMs, () => done.abort());
  };
  try {
    await open(onCall, AbortSignal.any([signal, done.signal]));
  } finally {
    cancel();
  }
  if (!wasCalled) throw new SourceError('connected, but nothing was pushed', { isRetryable: true });
}
