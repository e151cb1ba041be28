// Looks at each configured source once and says in plain words what works, what is missing and what to set.

import type { MarketEvent } from '../domain/market-event.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage, SourceError } from '../runtime/errors.ts';
import { adviseOn } from './doctor-advice.ts';
import type { AccountSources, MarketListing, OracleTracking, Sources } from './source.ts';

export interface Finding {
  /** What was looked at, e.g. 'posts of account a'. */
  subject: string;
  verdict: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do about it; null when nothing needs doing. */
  advice: string | null;
}

export interface DoctorOptions {
  clock: Clock;
  /** For each single look. */
  timeoutMs?: number;
}

interface Look {
  subject: string;
  /** Settings that this source hangs on, for the advice. */
  settings: readonly string[];
  /** Without its credential nothing else is worse: told, but no problem. */
  isOptional?: boolean;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const STALE_SYNC_MS = 30 * 60_000;
/** Holds nothing, and every data API must say so. */
const NOBODY = `0x${'0'.repeat(40)}`;

export async function checkSources(sources: Sources, options: DoctorOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  const events: MarketEvent[] = [];
  for (const entry of sources.accounts) {
    findings.push(...(await checkPosts(entry, options)));
    const trackings = await checkOracle(entry, options, findings);
    events.push(...(await checkMarket(entry, trackings, options, findings)));
  }
  findings.push(...(await checkQuotes(sources, events, options)));
  findings.push(...(await checkWallet(sources, options)));
  findings.push(...(await checkCrypto(sources, options)));
  return findings;
}

async function checkPosts(entry: AccountSources, options: DoctorOptions): Promise<Finding[]> {
  const prefix = settingPrefix(entry);
  const base =
    entry.posts.kind === 'x'
      ? ['X_API_BASE_URL', 'X_BEARER_TOKEN']
      : ['MASTODON_BASE_URL', `${prefix}_HANDLE`];
  const look = {
    subject: `posts of account ${entry.account.accountId}`,
    settings: [...base, `${prefix}_PLATFORM_USER_ID`],
  };
  return attempt(look, options, async (signal) => {
    const { posts, skipped } = await entry.posts.fetchLatest(null, signal);
    const newest = posts.at(-1);
    if (!newest)
      return [warn(look, 'the source answers, but shows no post', `Is ${look.settings.at(-1)} right?`)];
    const findings = [ok(look, `${posts.length} posts read, the newest ${ago(newest.createdTs, options)}`)];
    if (skipped.length > 0) {
      findings.push(warn(look, `${skipped.length} posts could not be used: ${skipped[0]!.reason}`, null));
    }
    return findings;
  });
}

async function checkOracle(
  entry: AccountSources,
  options: DoctorOptions,
  findings: Finding[],
): Promise<OracleTracking[]> {
  const look = {
    subject: `oracle for account ${entry.account.accountId}`,
    settings: ['ORACLE_BASE_URL', `${settingPrefix(entry)}_HANDLE`],
  };
  let found: OracleTracking[] = [];
  const made = await attempt(look, options, async (signal) => {
    found = (await entry.oracle.fetchTrackings(options.clock.now(), signal)).trackings;
    return describeTrackings(look, found, options);
  });
  findings.push(...made);
  return found;
}

function describeTrackings(
  look: Look,
  trackings: readonly OracleTracking[],
  options: DoctorOptions,
): Finding[] {
  const counted = trackings.filter((tracking) => tracking.count !== null);
  if (counted.length === 0) {
    return [warn(look, 'the oracle answers, but has no running count for this account', 'Check the handle.')];
  }
  const lastSyncTs = Math.max(...counted.map((tracking) => tracking.lastSyncTs ?? 0));
  const findings = [ok(look, `${counted.length} running counts`)];
  if (lastSyncTs > 0 && options.clock.now() - lastSyncTs > STALE_SYNC_MS) {
    findings.push(warn(look, `the oracle last looked at the platform ${ago(lastSyncTs, options)}`, null));
  }
  return findings;
}

async function checkMarket(
  entry: AccountSources,
  trackings: readonly OracleTracking[],
  options: DoctorOptions,
  findings: Finding[],
): Promise<MarketEvent[]> {
  const look = {
    subject: `market events of account ${entry.account.accountId}`,
    settings: ['MARKET_GAMMA_BASE_URL', `${settingPrefix(entry)}_SERIES`],
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
  if (listing.events.length === 0) {
    const advice = `Check ${look.settings[1]}: no open event belongs to it.`;
    return [warn(look, `no event; ${listing.rejected.length} left out`, advice)];
  }
  const findings = [ok(look, `${listing.events.length} open events, ${listing.rejected.length} left out`)];
  for (const message of listing.alarms.slice(0, 5)) {
    const advice = 'The market has moved on: a newer version of this service is needed.';
    findings.push({ subject: look.subject, verdict: 'problem', message, advice });
  }
  for (const { title, conflict } of listing.conflicts.slice(0, 5)) {
    findings.push(warn(look, `'${title}': accounts of its window differ (${conflict})`, 'Read its rules.'));
  }
  if ([...listing.uiCounts.values()].every((count) => count === null)) {
    findings.push(warn(look, 'no event carries the count of its page, so that counter stays null', null));
  }
  return findings;
}

async function checkQuotes(
  sources: Sources,
  events: readonly MarketEvent[],
  options: DoctorOptions,
): Promise<Finding[]> {
  const tokenIds = events.flatMap((event) => event.buckets.filter((bucket) => bucket.isOpen)).slice(0, 10);
  const ids = tokenIds.map((bucket) => bucket.yesTokenId);
  const books = { subject: 'order books', settings: ['MARKET_CLOB_BASE_URL'] };
  const stream = { subject: 'price stream', settings: ['MARKET_WS_URL'] };
  if (ids.length === 0) return [warn(books, 'not looked at: no open bucket to ask about', null)];
  const findings = await attempt(books, options, async (signal) => {
    const quotes = await sources.quotes.fetchQuotes(ids, signal);
    if (quotes.length === 0) return [warn(books, 'the source answers, but has none of the books', null)];
    return [ok(books, `${quotes.length} of ${ids.length} books read`)];
  });
  const heard = await attempt(stream, options, async (signal) => {
    await firstCall(signal, (onCall, within) => {
      return sources.quotes.openQuoteStream(ids, { onQuote: onCall }, within).ended;
    });
    return [ok(stream, 'prices are pushed')];
  });
  return [...findings, ...heard];
}

function checkWallet(sources: Sources, options: DoctorOptions): Promise<Finding[]> {
  const look = { subject: 'wallet positions', settings: ['MARKET_DATA_BASE_URL'] };
  return attempt(look, options, async (signal) => {
    await sources.wallets.fetchPositions(NOBODY, signal);
    return [ok(look, 'the source answers')];
  });
}

async function checkCrypto(sources: Sources, options: DoctorOptions): Promise<Finding[]> {
  const markets = { subject: 'crypto markets', settings: ['MARKET_GAMMA_BASE_URL'] };
  const prices = {
    subject: 'crypto reference prices',
    settings: ['CRYPTO_WS_URL', 'CRYPTO_API_KEY'],
    isOptional: true,
  };
  const listed = await attempt(markets, options, async (signal) => {
    const found = await sources.crypto.fetchMarkets(signal);
    return [
      found.length > 0 ? ok(markets, `${found.length} markets`) : warn(markets, 'no market listed', null),
    ];
  });
  const heard = await attempt(prices, options, async (signal) => {
    await firstCall(signal, (onCall, within) =>
      sources.crypto.openReferenceStream({ onPrice: onCall }, within),
    );
    return [ok(prices, 'prices are pushed')];
  });
  return [...listed, ...heard];
}

/** Opens a stream until its handler is called once, then closes it. */
async function firstCall(
  signal: AbortSignal,
  open: (onCall: () => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const done = new AbortController();
  let wasCalled = false;
  const onCall = () => {
    wasCalled = true;
    done.abort();
  };
  await open(onCall, AbortSignal.any([signal, done.signal]));
  if (!wasCalled) throw new SourceError('connected, but nothing was pushed', { isRetryable: true });
}

async function attempt(
  look: Look,
  options: DoctorOptions,
  action: (signal: AbortSignal) => Promise<Finding[]>,
): Promise<Finding[]> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timeout = new AbortController();
  const cancel = options.clock.after(timeoutMs, () =>
    timeout.abort(new SourceError(`no answer in ${timeoutMs} ms`, { isRetryable: true })),
  );
  try {
    return await action(timeout.signal);
  } catch (error) {
    const advice = adviseOn(error, look.settings);
    const isMissing = look.isOptional && error instanceof SourceError && error.status === 401;
    const verdict = isMissing ? 'warning' : 'problem';
    return [{ subject: look.subject, verdict, message: errorMessage(error), advice }];
  } finally {
    cancel();
  }
}

function ok(look: Look, message: string): Finding {
  return { subject: look.subject, verdict: 'ok', message, advice: null };
}

function warn(look: Look, message: string, advice: string | null): Finding {
  return { subject: look.subject, verdict: 'warning', message, advice };
}

function settingPrefix(entry: AccountSources): string {
  return `ACCOUNT_${entry.account.accountId.toUpperCase()}`;
}

function ago(ts: number, options: DoctorOptions): string {
  const minutes = Math.max(0, Math.round((options.clock.now() - ts) / 60_000));
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
