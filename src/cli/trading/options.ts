// Options for `tallycast trade`, and the settings derived from them.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../runtime/errors.ts';
import type { Caps } from '../../trading/decide/caps.ts';
import type { Rules } from '../../trading/decide/decide.ts';
import type { LossLimits } from '../../trading/decide/halts.ts';
import type { TrustLimits } from '../../trading/executor/read-advice.ts';
import { flags, readPositive, texts } from '../arguments.ts';

export const TRADE_OPTIONS = {
  ...flags('live', 'paper', 'equity', 'after-loss'),
  ...texts('accept', 'url', 'key', 'exchange', 'market-ws', 'key-file', 'data', 'bankroll'),
  ...texts('max-order', 'max-event', 'max-account', 'max-day', 'max-total', 'day-loss', 'total-loss'),
  ...texts('min-gain', 'min-minutes', 'max-count-lead', 'max-settlement-risk', 'canary'),
  ...texts('usd', 'wallet', 'owner', 'rpc', 'session-expires', 'venue', 'key-id'),
};

export type TradeValues = { [Name in keyof typeof TRADE_OPTIONS]?: string | boolean | undefined };

export const TRADE_OPTIONS_HELP = `options:
  --paper | --live          trade on paper (default) or with real orders
  --venue NAME              polymarket (default), or kalshi with --live
  --accept CODE             confirm the settings with the code that the first --live run printed
  --url, --key              service address and PRO key (TALLYCAST_URL, TALLYCAST_KEY)
  --exchange, --market-ws   exchange addresses (the service's simulator, or Polymarket for a live service)
  --key-file FILE           session key, mode 0600, or TALLYCAST_TRADING_KEY; for kalshi the private key (PEM)
  --key-id ID               for kalshi: id of the API key (TALLYCAST_TRADING_KEY_ID)
  --wallet ADDRESS          wallet that the key signs for; needed for a session key (TALLYCAST_TRADING_WALLET)
  --owner ADDRESS           for setup: the wallet's owner, so that requests to sign get the right nonce
  --session-expires DATE    end of the session key, if the exchange does not say
  --rpc URL                 JSON-RPC of Polygon
  --data FOLDER             folder for journal and kill switch (data/trading/paper or data/trading/live)
  --bankroll USD            bankroll to size orders for (500)
  --max-order, --max-event, --max-account, --max-day, --max-total USD   (2, 5, 15, 20, 30 % of the bankroll)
  --day-loss, --total-loss USD   stop at this loss until lifted (5, 10 % of the bankroll)
  --min-gain X              minimum expected gain per dollar (0.05)
  --min-minutes N           stop buying this many minutes before the end (15)
  --max-count-lead N        place no orders while our count is behind the oracle's or more than N ahead of it (10)
  --max-settlement-risk X   place no orders while the risk that another bucket wins at settlement is above X (0.25)
  --canary N                with --live: place the smallest orders until N fills have settled (5)
  --after-loss              for resume: also end a halt after a loss limit or repeated refusals
  --usd AMOUNT              for accept-transfer: the amount that was shown`;

export type VenueName = 'polymarket' | 'kalshi';

export interface TradeSettings {
  venue: VenueName;
  isLive: boolean;
  folder: string;
  bankrollUsd: number;
  rules: Omit<Rules, 'isCanary'>;
  limits: LossLimits;
  trust: TrustLimits;
  canaryFills: number;
}

const DEFAULT_BANKROLL = 500;
const DEFAULT_CANARY = 5;

export function readSettings(values: TradeValues): TradeSettings {
  const number = (name: keyof TradeValues, fallback: number) => {
    const given = values[name];
    return typeof given === 'string' ? readPositive(`--${name}`, given) : fallback;
  };
  const isLive = values.live === true;
  const venue = readVenue(values);
  if (venue === 'kalshi' && !isLive)
    throw new UsageError('paper trading reads the books of Polymarket; pass --live with --venue kalshi');
  const bankrollUsd = number('bankroll', DEFAULT_BANKROLL);
  const caps: Caps = {
    orderUsd: number('max-order', 0.02 * bankrollUsd),
    eventUsd: number('max-event', 0.05 * bankrollUsd),
    accountUsd: number('max-account', 0.15 * bankrollUsd),
    dayUsd: number('max-day', 0.2 * bankrollUsd),
    totalUsd: number('max-total', 0.3 * bankrollUsd),
  };
  return {
    venue,
    isLive,
    folder: tradingFolder(values),
    bankrollUsd,
    rules: {
      caps,
      minGainPerUsd: number('min-gain', 0.05),
      minSecondsLeft: 60 * number('min-minutes', 15),
      minPricePips: 200,
      maxPricePips: 9500,
    },
    limits: {
      dayLossUsd: number('day-loss', 0.05 * bankrollUsd),
      totalLossUsd: number('total-loss', 0.1 * bankrollUsd),
    },
    trust: {
      ...(venue === 'kalshi' ? { venue } : {}),
      maxCountLead: number('max-count-lead', 10),
      maxSettlementRisk: number('max-settlement-risk', 0.25),
    },
    canaryFills: isLive ? number('canary', DEFAULT_CANARY) : 0,
  };
}

/** What the operator accepts, one line each. */
export function describeSettings({
  bankrollUsd,
  rules,
  limits,
  trust,
  canaryFills,
}: TradeSettings): string[] {
  const usd = (value: number) => `${value.toFixed(2)} USD`;
  const { orderUsd, eventUsd, accountUsd, dayUsd, totalUsd } = rules.caps;
  return [
    `bankroll: ${usd(bankrollUsd)}`,
    `spend at most: ${usd(orderUsd)} per order, ${usd(eventUsd)} per event, ${usd(accountUsd)} per account, ${usd(dayUsd)} per day, ${usd(totalUsd)} in total`,
    `stop at a loss of: ${usd(limits.dayLossUsd)} in a day, ${usd(limits.totalLossUsd)} in total`,
    `buy only: with an expected gain of at least ${+(100 * rules.minGainPerUsd).toFixed(2)} cents per dollar, at prices from ${rules.minPricePips / 100} to ${rules.maxPricePips / 100} cents, until ${rules.minSecondsLeft / 60} minutes before the end`,
    `place no orders: if our count is more than ${trust.maxCountLead} posts ahead of the oracle's, or the settlement risk is above ${+(100 * trust.maxSettlementRisk).toFixed(2)} %`,
    `start: the smallest orders that the exchange takes (1 to 5 USD) until ${canaryFills} fills have settled`,
  ];
}

export function tradingFolder(values: TradeValues): string {
  const given = values.data;
  const name = values.live === true ? 'live' : 'paper';
  const venue = readVenue(values);
  if (typeof given === 'string') return given;
  return join('data', 'trading', venue === 'kalshi' ? `${name}-kalshi` : name);
}

export function readVenue({ venue = 'polymarket' }: TradeValues): VenueName {
  if (venue !== 'polymarket' && venue !== 'kalshi')
    throw new UsageError(`--venue: "${venue}" is not polymarket or kalshi`);
  return venue;
}

export interface AcceptedPlace {
  exchange: string;
  wallet: string;
  adviceUrl: string;
}

/** Changes with every setting that affects trading, so that --accept covers exactly these settings. */
export function fingerprint(settings: TradeSettings, place: AcceptedPlace): string {
  const text = JSON.stringify([
    settings.bankrollUsd,
    settings.rules,
    settings.limits,
    settings.trust,
    settings.canaryFills,
    place,
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
