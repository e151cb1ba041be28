// The seal of an hour: the root of its entries, chained to the previous seal. The chained text is plain, so that
// `printf … | sha256sum` gives the same hash.

import { createHash } from 'node:crypto';
import { computeRoot, hashLeaf } from './merkle.ts';

export interface Seal {
  hourTs: number;
  /** Number of the first entry; numbering continues across hours. */
  firstSeq: number;
  size: number;
  /** Hex, like the two below. */
  root: string;
  /** Chain hash of the previous seal. */
  previous: string;
  chain: string;
}

export const NO_SEAL = '0'.repeat(64);

export function sealHour(
  hourTs: number,
  firstSeq: number,
  entries: readonly string[],
  previous: string,
): Seal {
  const root = computeRoot(entries.map(hashLeaf)).toString('hex');
  const head = { hourTs, firstSeq, size: entries.length, root, previous };
  return { ...head, chain: computeChain(head) };
}

function computeChain({ hourTs, firstSeq, size, root, previous }: Omit<Seal, 'chain'>): string {
  const hour = new Date(hourTs).toISOString();
  return sha256(`tallycast seal 1\n${previous}\n${hour}\n${firstSeq}\n${size}\n${root}\n`);
}

/** Whether no hour is missing between two seals; `before` is undefined for the first. */
export function follows(before: Seal | undefined, seal: Seal): boolean {
  if (!before) return seal.previous === NO_SEAL;
  return seal.previous === before.chain && seal.firstSeq === before.firstSeq + before.size;
}

/** Digest of entries not yet sealed, so that none can be lost or changed unnoticed. */
export function addToRunning(running: string, hourTs: number, entry: string): string {
  return sha256(`${running}\n${hourTs}\n${hashLeaf(entry).toString('hex')}\n`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
