// Carries out a plan: cancels first, then places orders one by one, each journaled before it is sent.

import { MICRO } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { ORDER_LIFE_MS, type Placement, type Plan } from '../decide/decide.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue } from '../types.ts';
import type { ExchangeView } from './exchange-view.ts';

export interface SenderParts {
  venue: Venue;
  journal: Journal;
  view: ExchangeView;
  clock: Clock;
  logger: Logger;
  /** Checked before each order, because sending the earlier ones takes time. */
  isHalted(): boolean;
}

export async function carryOut({ cancels, placements }: Plan, parts: SenderParts): Promise<void> {
  const { venue, journal, view, clock } = parts;
  if (cancels.length > 0) {
    view.markChanged();
    const done = new Set(await venue.cancel(cancels.map(({ orderId }) => orderId)));
    for (const { orderId, reason } of cancels)
      journal.setIntent(orderId, done.has(orderId) ? 'cancelled' : 'open', reason, clock.now());
  }
  const doubtful = new Set<string>();
  for (const placement of placements) {
    if (parts.isHalted() || doubtful.has(placement.conditionId)) continue;
    if (!(await place(placement, parts))) doubtful.add(placement.conditionId);
  }
}

/** Whether the exchange accepted the order. */
async function place(placement: Placement, parts: SenderParts): Promise<boolean> {
  const { venue, journal, view, clock, logger } = parts;
  const { item, action, pricePips, sizeMicro, isNegRisk, conditionId, maxFeeMicro } = placement;
  const { tokenId } = item;
  const nowTs = clock.now();
  const expiresTs = view.exchangeTs() + ORDER_LIFE_MS;
  const prepared = await venue.prepare({ tokenId, action, pricePips, sizeMicro, isNegRisk, expiresTs });
  const { orderId } = prepared;
  journal.addIntent({
    orderId,
    createdTs: nowTs,
    tokenId,
    action,
    pricePips,
    sizeMicro,
    state: 'planned',
    reason: '',
    updatedTs: nowTs,
    account: item.account,
    eventId: item.eventId,
    bucket: item.bucket,
    outcome: item.outcome,
    edgeKind: item.edgeKind,
    advisedPips: item.limitPips,
    probability: item.probability,
    gainPerUsd: item.gainPerUsd,
    conditionId,
    expiresTs,
    isReleased: false,
    maxFeeMicro,
    matchedMicro: 0,
  });
  view.markChanged();
  const outcome = await venue.send(prepared);
  const isAccepted = outcome.kind === 'accepted';
  const state = isAccepted ? 'open' : outcome.kind;
  const reason = isAccepted ? '' : outcome.reason;
  journal.setIntent(orderId, state, reason, clock.now());
  logger.info(
    { orderId, action, price: pricePips / 10_000, shares: sizeMicro / MICRO, state, reason },
    'order',
  );
  return isAccepted;
}
