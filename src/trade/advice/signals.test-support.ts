// Advice on events in one call, as tests ask for it.

import type { EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { decideAccount } from './decide-account.ts';
import { sizeSignals } from './signals.ts';

export function buildAccountSignals(
  events: readonly PricedEvent[],
  bankrollUsd: number,
  rules: SizingRules,
  nowTs = 0,
): EventSignals[] {
  return sizeSignals(decideAccount(events, rules, nowTs), bankrollUsd, rules);
}
