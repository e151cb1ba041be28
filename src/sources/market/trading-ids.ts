// Picks the ids a market trades under, by its stated version and not by which field is filled: each field may
// contain unusable ids of the other version.

import type { WireRecord } from '../wire-reader.ts';
import { readJsonTexts, readName } from '../wire-reader.ts';

export type ProtocolVersion = 'v1' | 'v2';

export interface TradingIds {
  /** null for an unknown version. */
  version: ProtocolVersion | null;
  /** As written, for the alarm; null if the market states no version. */
  statedVersion: string | null;
  /** In outcome order; empty if none are usable. */
  tokenIds: readonly string[];
  /** Ids are present but in an unusable form, as opposed to not minted yet. */
  hasUnusableIds: boolean;
}

/** An event's version applies to all its markets that do not state one. */
export function readTradingIds(market: WireRecord, eventVersion: string | null): TradingIds {
  const statedVersion = readName(market, 'version') ?? eventVersion;
  const version = chooseVersion(market, statedVersion);
  if (version === null) return { version, statedVersion, tokenIds: [], hasUnusableIds: false };
  const field = version === 'v1' ? 'clobTokenIds' : 'positionIds';
  const ids = readJsonTexts(market, field) ?? [];
  const areUsable = ids.length === 2 && ids.every((id) => /^\d{1,90}$/.test(id));
  // Before minting, the field is null, an empty string or an empty list.
  const areGiven = ids.length > 0 || (Boolean(market[field]) && readJsonTexts(market, field) === null);
  return { version, statedVersion, tokenIds: areUsable ? ids : [], hasUnusableIds: areGiven && !areUsable };
}

function chooseVersion(market: WireRecord, stated: string | null): ProtocolVersion | null {
  if (stated === 'v1' || stated === 'v2') return stated;
  if (stated !== null) return null;
  // Markets older than the second version state no version and have no positions.
  return hasPositions(market.positionIds) ? null : 'v1';
}

function hasPositions(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === '[]') return false;
  return !Array.isArray(value) || value.length > 0;
}
