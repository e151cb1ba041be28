// Events as the market lists them, and a scripted source that returns them.

import type { MarketScope } from '../../src/domain/account.ts';
import { createMarketSource } from '../../src/sources/market/client.ts';
import { ACCOUNT, scriptHttp } from './scripted-sources.ts';

export function bucket(label: string, index: number, fields: object = {}): object {
  return {
    id: String(5000 + index),
    conditionId: `0x${String(index).padStart(64, '0')}`,
    question: `Will it be ${label}?`,
    slug: `somebody-of-tweets-august-15-august-17-${label}`,
    groupItemTitle: label,
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.25", "0.75"]',
    clobTokenIds: `["${1000 + index}", "${2000 + index}"]`,
    bestBid: 0.24,
    bestAsk: 0.26,
    lastTradePrice: 0.25,
    orderPriceMinTickSize: 0.001,
    orderMinSize: 5,
    active: true,
    closed: false,
    acceptingOrders: true,
    feesEnabled: true,
    feeSchedule: { rate: 0.05, exponent: 1, takerOnly: true },
    takerBaseFee: 1000,
    ...fields,
  };
}

export function event(fields: object = {}): Record<string, unknown> {
  return {
    id: '777',
    title: 'Somebody # tweets August 15 - August 17, 2026?',
    slug: 'somebody-of-tweets-august-15-august-17',
    description: 'Counts posts from August 15, 2026, 12:00 PM ET to August 17, 2026, 12:00 PM ET.',
    image: 'https://img.example/1.png',
    startDate: '2026-08-12T04:00:00Z',
    endDate: '2026-08-17T16:00:00Z',
    active: true,
    closed: false,
    archived: false,
    seriesSlug: 'somebody-48h',
    tweetCount: 61,
    markets: [
      bucket('40–64', 1),
      bucket('65+', 2),
      bucket('<40', 0, { closed: true, outcomePrices: '["0", "1"]' }),
    ],
    ...fields,
  };
}

const scope: MarketScope = { seriesSlugs: ['somebody-48h'], tagId: null, slugPrefix: null };

export function open(replies: Parameters<typeof scriptHttp>[0], within = scope) {
  const scripted = scriptHttp(replies);
  const { http, clock } = scripted;
  return {
    ...scripted,
    source: createMarketSource({ account: ACCOUNT, scope: within, gamma: http, data: http, clock }),
  };
}

export function page(...events: object[]): object {
  return { events };
}

export const SERIES = [{ id: '12', slug: 'somebody-48h' }];
