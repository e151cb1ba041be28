// Checks an account's additional venues: contracts, settlement lists and prices.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { AccountSources, SettlementSource, VenueSources } from '../source.ts';
import { ago, attempt, type DoctorOptions, type Finding, finding, type Look } from './finding.ts';

/** Number of buckets to fetch prices for. */
const SAMPLE = 10;

export async function checkVenues(entry: AccountSources, options: DoctorOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const venue of entry.venues ?? []) {
    const events = await checkContracts(entry, venue, options, findings);
    for (const source of venue.settlement)
      findings.push(...(await checkList(entry, source, events, options)));
    findings.push(...(await checkQuotes(entry, venue, events, options)));
  }
  return findings;
}

async function checkContracts(
  { account }: AccountSources,
  { venue, market }: VenueSources,
  options: DoctorOptions,
  findings: Finding[],
): Promise<MarketEvent[]> {
  const look: Look = { capability: 'events', account: account.segment, settings: [settingOf(venue)] };
  let events: MarketEvent[] = [];
  const made = await attempt(look, options, async (signal) => {
    const listing = await market.fetchEvents([], signal);
    events = listing.events;
    const [missed] = listing.missed;
    if (missed !== undefined && events.length === 0) return [finding(look, 'problem', missed)];
    const listed = `${venue}: ${events.length} contracts listed`;
    return [
      finding(look, events.length > 0 ? 'ok' : 'warning', listed),
      ...listing.missed.map((message) => finding(look, 'warning', message)),
    ];
  });
  findings.push(...made);
  return events;
}

function checkList(
  { account }: AccountSources,
  source: SettlementSource,
  events: readonly MarketEvent[],
  options: DoctorOptions,
): Promise<Finding[]> {
  const look: Look = { capability: 'counts', account: account.segment, settings: [settingOf(source.name)] };
  const own = events.filter(
    ({ terms, window }) => terms?.settlementSource === source.name && window.startTs <= options.clock.now(),
  );
  return attempt(look, options, async (signal) => {
    const { readings, asofTs } = await source.fetchCounts(own, signal);
    const counted = `${source.name}: counts of ${readings.length} of ${own.length} running contracts`;
    const isComplete = readings.length === own.length;
    return [finding(look, isComplete ? 'ok' : 'warning', `${counted}, as of ${ago(asofTs, options)}`)];
  });
}

async function checkQuotes(
  { account }: AccountSources,
  { venue, quotes: source }: VenueSources,
  events: readonly MarketEvent[],
  options: DoctorOptions,
): Promise<Finding[]> {
  const look: Look = { capability: 'prices', account: account.segment, settings: [settingOf(venue)] };
  const open = events.flatMap(({ buckets }) => buckets.filter(({ isOpen }) => isOpen)).slice(0, SAMPLE);
  if (open.length === 0) return [];
  return attempt(look, options, async (signal) => {
    const quotes = await source.fetchQuotes(
      open.map(({ yesTokenId }) => yesTokenId),
      signal,
    );
    const read = `${venue}: ${quotes.length} of ${open.length} prices read`;
    return [finding(look, quotes.length > 0 ? 'ok' : 'warning', read)];
  });
}

/** Name of the address setting of a venue or list. */
function settingOf(name: string): string {
  return `${name.toUpperCase()}_BASE_URL`;
}
