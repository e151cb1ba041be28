// Checks each configured source once. Reports, per account and capability, what works, what is degraded and
// why, what it costs and what to set.

import type { MarketEvent } from '../domain/market-event.ts';
import { checkCounts, checkEvents, checkPrices, checkSettlements } from './doctor/check-market.ts';
import { checkPosts } from './doctor/check-posts.ts';
import { checkVenues } from './doctor/check-venues.ts';
import { attempt, type DoctorOptions, type Finding, finding, type Look } from './doctor/finding.ts';
import type { AccountSources, Sources } from './source.ts';

export type { DoctorOptions, Finding } from './doctor/finding.ts';

/** An empty wallet; every data API must report it as empty. */
const NO_WALLET = `0x${'0'.repeat(40)}`;

export async function checkSources(sources: Sources, options: DoctorOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const entry of sources.accounts) {
    findings.push(...(await checkAccount(sources, entry, options)));
  }
  findings.push(...(await checkPositions(sources, options)));
  findings.push(...(await checkCrypto(sources, options)));
  return findings;
}

async function checkAccount(
  sources: Sources,
  entry: AccountSources,
  options: DoctorOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const trackings = await checkCounts(entry, options, findings);
  findings.push(...(await checkPosts(entry, options)));
  const events: MarketEvent[] = await checkEvents(entry, trackings, options, findings);
  findings.push(...(await checkPrices(sources, entry, events, options)));
  findings.push(...(await checkSettlements(entry, options)));
  findings.push(...(await checkVenues(entry, options)));
  return findings;
}

function checkPositions(sources: Sources, options: DoctorOptions): Promise<Finding[]> {
  const look: Look = { capability: 'positions', account: null, settings: ['MARKET_DATA_BASE_URL'] };
  return attempt(look, options, async (signal) => {
    await sources.wallets.fetchPositions(NO_WALLET, signal);
    return [finding(look, 'ok', 'wallets can be read')];
  });
}

async function checkCrypto(sources: Sources, options: DoctorOptions): Promise<Finding[]> {
  const markets: Look = { capability: 'crypto', account: null, settings: ['MARKET_GAMMA_BASE_URL'] };
  return attempt(markets, options, async (signal) => {
    const oddities: string[] = [];
    const found = await sources.crypto.fetchMarkets(signal, (oddity) => oddities.push(oddity));
    return [
      ...oddities.slice(0, 5).map((oddity) => finding(markets, 'warning', oddity)),
      found.length > 0
        ? finding(markets, 'ok', `${found.length} markets`)
        : finding(markets, 'warning', 'no market listed'),
    ];
  });
}
