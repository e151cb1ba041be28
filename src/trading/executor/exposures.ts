// Dollars at risk: paid for holdings, reserved by open orders, and possibly spent by orders in an unknown
// state.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import type { Exposure } from '../decide/caps.ts';
import type { OpenOrder } from '../decide/decide.ts';
import type { Intent } from '../journal/journal.ts';

export function reservedMicro(open: readonly OpenOrder[]): number {
  return open
    .filter(({ action }) => action === 'BUY')
    .reduce((sum, { openMicro, pricePips }) => sum + usdMicroFor(openMicro, pricePips), 0);
}

/** An order in an unknown state counts as open. */
export function doubtfulMicro(doubtful: readonly Intent[]): number {
  return doubtful
    .filter(({ action }) => action === 'BUY')
    .reduce((sum, { sizeMicro, pricePips }) => sum + usdMicroFor(sizeMicro, pricePips), 0);
}

export function listExposures(
  intents: readonly Intent[],
  open: readonly OpenOrder[],
  doubtful: readonly Intent[],
  positions: Iterable<{ tokenId: string; costMicro: number }>,
): Exposure[] {
  const byToken = new Map(intents.map((intent) => [intent.tokenId, intent]));
  const held = [...positions].map(({ tokenId, costMicro }) => ({
    of: byToken.get(tokenId),
    micro: costMicro,
  }));
  const ordered = open
    .filter(({ action }) => action === 'BUY')
    .map((order) => ({ of: order, micro: usdMicroFor(order.openMicro, order.pricePips) }));
  const unsure = doubtful
    .filter(({ action }) => action === 'BUY')
    .map((intent) => ({ of: intent, micro: usdMicroFor(intent.sizeMicro, intent.pricePips) }));
  return [...held, ...ordered, ...unsure].map(({ of, micro }) => ({
    eventId: of?.eventId ?? 0,
    account: of?.account ?? '',
    usd: micro / MICRO,
  }));
}
