// The service's advice in the executor's terms. Anything that the advice rests on and that is stale, or that the service
// itself does not trust, blocks it.

import { MICRO, toPips } from '../../domain/micro-units.ts';
import type { Advice, AdviceItem } from '../types.ts';

interface FeedAge {
  stale: boolean;
}

/** One row of the service's list of what to do now; fields of later versions are optional. */
export interface OpportunityRow {
  account: string;
  event_id: number;
  bucket: string;
  seconds_remaining: number;
  belief_prob: number;
  verdict: string;
  token_id: string | null;
  limit_price: number | null;
  depth_shares: number | null;
  shares: number;
  gain_per_usd: number;
  /** By name. */
  feeds: object;
  edge_kind?: string | null;
}

export interface OpportunitiesAnswer {
  timestamp: number;
  data: readonly OpportunityRow[];
}

export interface ServiceHealth {
  status: string;
}

/** A sale is limited by what is held. */
const EVERYTHING_MICRO = 1_000_000 * MICRO;

export function toAdvice(answer: OpportunitiesAnswer, health: ServiceHealth): Advice {
  return {
    madeTs: answer.timestamp,
    items: answer.data.flatMap(toItem),
    blockedBy: health.status === 'down' ? 'the service cannot vouch for its data' : null,
  };
}

function toItem(row: OpportunityRow): AdviceItem[] {
  const isSale = row.verdict === 'EXIT';
  if (!isSale && row.verdict !== 'BUY_YES' && row.verdict !== 'BUY_NO') return [];
  if (row.token_id === null || row.limit_price === null) return [];
  return [
    {
      account: row.account,
      eventId: row.event_id,
      bucket: row.bucket,
      outcome: row.verdict === 'BUY_NO' ? 'No' : 'Yes',
      action: isSale ? 'SELL' : 'BUY',
      tokenId: row.token_id,
      limitPips: toPips(row.limit_price),
      targetMicro: isSale ? EVERYTHING_MICRO : Math.floor(row.shares) * MICRO,
      depthMicro: row.depth_shares === null ? null : Math.floor(row.depth_shares * MICRO),
      gainPerUsd: row.gain_per_usd,
      probability: row.verdict === 'BUY_NO' ? 1 - row.belief_prob : row.belief_prob,
      secondsLeft: row.seconds_remaining,
      edgeKind: row.edge_kind ?? 'model',
      blockedBy: findStale(row.feeds),
    },
  ];
}

function findStale(feeds: OpportunityRow['feeds']): string | null {
  // The count on the market's page is shown, never traded on.
  const { ui: _, ...rests } = feeds as Record<string, FeedAge | null>;
  const stale = Object.entries(rests).filter(([, feed]) => feed?.stale === true);
  return stale.length === 0 ? null : `stale: ${stale.map(([name]) => name).join(', ')}`;
}
