// Which ids a market is traded by. The version that it states decides, never which field is filled: either may carry
// ids of the other version, by which nothing can be bought.

import type { WireRecord } from '../wire-reader.ts';
import { readJsonTexts, readName } from '../wire-reader.ts';

export type ProtocolVersion = 'v1' | 'v2';

export interface TradingIds {
  /** null for a version that is not known here. */
  version: ProtocolVersion | null;
  /** As written, for the alarm; null where none is stated. */
  statedVersion: string | null;
  /** In the order of outcomes; empty while there are none, or none that may be used. */
  tokenIds: readonly string[];
  /** Ids are given, and in no form that could be traded by: as opposed to none being given yet. */
  hasUnusableIds: boolean;
}

/** An event's version holds for all of its markets, where a market states none itself. */
export function readTradingIds(market: WireRecord, eventVersion: string | null): TradingIds {
  const statedVersion = readName(market, 'version') ?? eventVersion;
  const version = chooseVersion(market, statedVersion);
  if (version === null) return { version, statedVersion, tokenIds: [], hasUnusableIds: false };
  const field = version === 'v1' ? 'clobTokenIds' : 'positionIds';
  const ids = readJsonTexts(market, field) ?? [];
  const areUsable = ids.length === 2 && ids.every((id) => /^\d{1,90}$/.test(id));
  // Before the ids are minted the field is null, an empty text or an empty list.
  const areGiven = ids.length > 0 || (Boolean(market[field]) && readJsonTexts(market, field) === null);
  return { version, statedVersion, tokenIds: areUsable ? ids : [], hasUnusableIds: areGiven && !areUsable };
}

function chooseVersion(market: WireRecord, stated: string | null): ProtocolVersion | null {
  if (stated === 'v1' || stated === 'v2') return stated;
  if (stated !== null) return null;
  // Markets from before there were two versions state none, and know no positions in any form.
  return hasPositions(market.positionIds) ? null : 'v1';
}

function hasPositions(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === '[]') return false;
  return !Array.isArray(value) || value.length > 0;
}
