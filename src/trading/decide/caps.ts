// Nested limits on the dollars that could be lost. No order exceeds any of them.

export interface Caps {
  /** Per order. */
  orderUsd: number;
  /** Per event, per account, per day of purchases, and in total. */
  eventUsd: number;
  accountUsd: number;
  dayUsd: number;
  totalUsd: number;
}

export interface Exposure {
  /** The market as the exchange names it. */
  conditionId: string;
  eventId: number;
  account: string;
  /** Dollars paid, or reserved by an open order. */
  usd: number;
}

export interface RoomRequest {
  conditionId: string;
  eventId: number;
  account: string;
}

/**
 * Dollars still available for an order, and the tightest limit. Event and account are labels of the advice: all
 * dollars in the same market count, under any label.
 */
export function findRoom(
  caps: Caps,
  exposures: readonly Exposure[],
  spentTodayUsd: number,
  { conditionId, eventId, account }: RoomRequest,
): { usd: number; limit: keyof Caps } {
  const sum = (keeps: (exposure: Exposure) => boolean) =>
    exposures.filter(keeps).reduce((total, { usd }) => total + usd, 0);
  const rooms: [keyof Caps, number][] = [
    ['orderUsd', caps.orderUsd],
    ['eventUsd', caps.eventUsd - sum((one) => one.eventId === eventId || one.conditionId === conditionId)],
    [
      'accountUsd',
      caps.accountUsd - sum((one) => one.account === account || one.conditionId === conditionId),
    ],
    ['dayUsd', caps.dayUsd - spentTodayUsd],
    ['totalUsd', caps.totalUsd - sum(() => true)],
  ];
  const [limit, usd] = rooms.reduce((tightest, room) => (room[1] < tightest[1] ? room : tightest));
  return { usd: Math.max(0, usd), limit };
}
