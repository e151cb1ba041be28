// Carries out a plan: cancels first, then places orders one by one, each journaled before it is sent.

import { MICRO } from '../../domain/micro-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Placement, Plan } from '../decide/decide.ts';
import type { HandOrders } from '../journal/hand-orders.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue } from '../types.ts';
import type { ExchangeView } from './exchange-view.ts';

export interface SenderParts {
  venue: Venue;
  journal: Journal;
  handOrders?: HandOrders | undefined;
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
    await venue.cancel(cancels.map(({ orderId }) => orderId));
    for (const { orderId, reason } of cancels) journal.setIntent(orderId, 'open', reason, clock.now());
  }
  for (const placement of placements) if (!parts.isHalted()) await place(placement, parts);
}

async function place(placement: Placement, parts: SenderParts) {
  const { venue, journal, view, clock, logger } = parts;
  const { item, action, pricePips, sizeMicro, isNegRisk } = placement;
  const { tokenId } = item;
  const nowTs = clock.now();
  const prepared = await venue.prepare({ tokenId, action, pricePips, sizeMicro, isNegRisk });
  const { orderId } = prepared;
  // Marked as handled before it is placed: a crash in between loses the order but never duplicates it.
  if (!claimRequest(item.handOrderId, orderId, parts)) return;
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
  });
  const outcome = await venue.send(prepared);
  const isAccepted = outcome.kind === 'accepted';
  const state = isAccepted ? 'open' : outcome.kind;
  const reason = isAccepted ? '' : outcome.reason;
  journal.setIntent(orderId, state, reason, clock.now());
  if (outcome.kind === 'refused') view.noteRefused(tokenId);
  // Counts as open until the next read; fills in the meantime are counted either way.
  if (isAccepted)
    view.addOpen({ orderId, tokenId, action, pricePips, sizeMicro, matchedMicro: 0, isLive: true });
  logger.info(
    { orderId, action, price: pricePips / 10_000, shares: sizeMicro / MICRO, state, reason },
    'order',
  );
}

/** False if the request was withdrawn. */
function claimRequest(requestId: number | undefined, orderId: string, { handOrders }: SenderParts): boolean {
  return (
    requestId === undefined || handOrders?.answer(requestId, { state: 'placed', detail: orderId }) === true
  );
}
