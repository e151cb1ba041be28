// What must be in place before the first order on Kalshi.

import { MICRO } from '../../../domain/micro-units.ts';
import { readFields, readFlag, readMicro } from '../answer-fields.ts';
import type { SetupStep } from '../polymarket/setup-steps.ts';
import { describeReply, type KalshiSessionOptions, openKalshiSession } from './session.ts';

const MAX_SKEW_MS = 5_000;
const FUNDS = 'Deposit money on the site.';

export async function listKalshiSteps(options: KalshiSessionOptions): Promise<SetupStep[]> {
  const { request } = openKalshiSession(options);
  const status = await request('GET', '/exchange/status');
  const nowTs = options.clock.now();
  const exchange = readFields(status.body, 'exchange status');
  const isOpen = readFlag(exchange, 'exchange_active') && readFlag(exchange, 'trading_active');
  const skewMs = Math.abs(status.ts - nowTs);
  const isOnTime = skewMs <= MAX_SKEW_MS;
  const balance = await request('GET', '/portfolio/balance');
  const isKnown = balance.status === 200;
  const steps: SetupStep[] = [
    {
      name: 'exchange',
      state: isOpen ? 'done' : 'missing',
      detail: isOpen ? 'trading' : 'trading is paused',
    },
    {
      name: 'clock',
      state: isOnTime ? 'done' : 'missing',
      detail: `${Math.round(skewMs / 1000)} s from the exchange's`,
      fix: 'Synchronise the clock: requests with a wrong time are refused.',
    },
    {
      name: 'key',
      state: isKnown ? 'done' : 'missing',
      detail: isKnown ? 'accepted' : describeReply(balance),
      fix: 'Make an API key with permission to trade on the site, and pass its id and its private key.',
    },
  ];
  if (!isKnown) return steps;
  const cashMicro = readMicro(readFields(balance.body, 'balance'), 'balance_dollars');
  const detail = `${(cashMicro / MICRO).toFixed(2)} USD`;
  return [...steps, { name: 'funds', state: cashMicro > 0 ? 'done' : 'missing', detail, fix: FUNDS }];
}
