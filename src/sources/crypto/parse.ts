// Converts a listed event to a crypto market.

import type {
  CryptoMarket,
  CryptoMarketType,
  CryptoToken,
  ReferenceSource,
} from '../../domain/crypto-market.ts';
import { roundPrice } from '../../domain/quote.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { ListedEventWire, ListedMarketWire } from '../market/wire.ts';

const ASSETS: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  btc: 'BTC',
  ethereum: 'ETH',
  eth: 'ETH',
  solana: 'SOL',
  sol: 'SOL',
  xrp: 'XRP',
  dogecoin: 'DOGE',
  doge: 'DOGE',
  bnb: 'BNB',
  hyperliquid: 'HYPE',
  hype: 'HYPE',
  zcash: 'ZEC',
  zec: 'ZEC',
};

const INTERVALS_MS: Readonly<Record<string, number>> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1M': 30 * DAY_MS,
};

/** null if the event is not a crypto price market or is incomplete. */
export function parseCryptoMarket(wire: ListedEventWire): CryptoMarket | null {
  const asset = findAsset(wire);
  const marketType = findType(wire);
  const endTs = wire.endTs ?? wire.markets[0]?.endTs ?? null;
  if (!asset || !marketType || endTs === null || wire.markets.length === 0) return null;
  const interval = findInterval(wire);
  return {
    eventId: wire.id,
    title: wire.title,
    image: wire.image,
    asset,
    marketType,
    interval,
    startTs: findStartTs(wire) ?? endTs - (INTERVALS_MS[interval] ?? DAY_MS),
    endTs,
    strike: marketType === 'updown' ? wire.priceToBeat : findStrike(wire),
    referenceSource: findReferenceSource(wire),
    tokens: parseTokens(wire),
    volumeUsd: wire.volumeUsd,
    liquidityUsd: wire.liquidityUsd,
    feeRate: wire.markets[0]!.feeSchedule?.rate ?? 0,
  };
}

function findAsset(wire: ListedEventWire): string | null {
  for (const word of wire.slug.toLowerCase().split('-')) {
    if (Object.hasOwn(ASSETS, word)) return ASSETS[word]!;
  }
  return null;
}

function findType(wire: ListedEventWire): CryptoMarketType | null {
  const text = `${wire.slug} ${wire.title}`.toLowerCase();
  if (/up-?or-?down|updown|up or down/.test(text)) return 'updown';
  if (/above/.test(text)) return 'above';
  if (/\bhit\b|\breach\b|\bdip\b/.test(text)) return 'touch';
  return /price/.test(text) ? 'range' : null;
}

function findInterval(wire: ListedEventWire): string {
  const text = [wire.recurrence ?? '', wire.slug, ...wire.seriesSlugs].join(' ').toLowerCase();
  const stated = /(?:^|[-\s])(5m|15m|1h|4h|1d|1w)(?:[-\s]|$)/.exec(text);
  if (stated) return stated[1]!;
  if (/hourly|-\d{1,2}(?:am|pm)-et/.test(text)) return '1h';
  if (/weekly/.test(text)) return '1w';
  return /monthly/.test(text) ? '1M' : '1d';
}

/** The number at the end of a slug is the start of the window, in seconds. */
function findStartTs(wire: ListedEventWire): number | null {
  const unix = /-(\d{10})$/.exec(wire.slug);
  return wire.markets[0]?.startTs ?? wire.startTimeTs ?? (unix ? Number(unix[1]) * 1000 : null);
}

/** Set only for an event with a single level; a ladder has its levels in the labels. */
function findStrike(wire: ListedEventWire): number | null {
  if (wire.markets.length !== 1) return null;
  const market = wire.markets[0]!;
  const match = /\$?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,8})?(k)?/i.exec(market.label || market.question);
  if (!match) return null;
  return Number(`${match[1]!.replaceAll(',', '')}${match[2] ?? ''}`) * (match[3] ? 1000 : 1);
}

/** The average that short windows settle on, in seconds. */
const TWAP_WINDOW_S = 60;

/** What the record says the market settles on; null if it names neither, or an average over another period. */
function findReferenceSource(wire: ListedEventWire): ReferenceSource | null {
  const market = wire.markets[0]!;
  const config = market.cryptoConfig;
  const text = `${market.resolutionSource} ${wire.resolutionSource} ${wire.description}`;
  const stated = /twap-(\d{1,4})s/i.exec(text)?.[1];
  const windowS = config?.twapWindowS ?? (stated === undefined ? TWAP_WINDOW_S : Number(stated));
  const isTwap = config?.isTwap ?? /\btwap\b|time-weighted/i.test(text);
  if (isTwap) return windowS === TWAP_WINDOW_S ? 'chainlink-twap-60s' : null;
  return /\bpyth\b/i.test(text) ? 'pyth-spot' : null;
}

/** Both outcomes of a single market, or the Yes side of each level of a ladder. */
function parseTokens(wire: ListedEventWire): CryptoToken[] {
  const [only] = wire.markets;
  if (wire.markets.length === 1 && only) return [0, 1].flatMap((index) => toToken(only, index, null));
  return wire.markets.flatMap((market) => toToken(market, 0, market.label));
}

function toToken(market: ListedMarketWire, index: number, label: string | null): CryptoToken[] {
  const tokenId = market.tokenIds[index];
  if (!tokenId) return [];
  const isFirst = index === 0;
  return [
    {
      label: label || (market.outcomes[index] ?? (isFirst ? 'Yes' : 'No')),
      tokenId,
      price: market.outcomePrices[index] ?? null,
      bestBid: isFirst ? market.bestBid : complement(market.bestAsk),
      bestAsk: isFirst ? market.bestAsk : complement(market.bestBid),
    },
  ];
}

function complement(price: number | null): number | null {
  return price === null ? null : roundPrice(1 - price);
}
