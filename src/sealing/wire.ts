// Published form of the seals; also the file format that `verify` reads.

import { findPath, hashLeaf, type Seal } from './seal.ts';

export function writeSeal({ hourTs, firstSeq, size, root, previous, chain }: Seal) {
  return { hour_ts: hourTs, first_seq: firstSeq, size, root, previous, chain };
}

/** `isRevealed` decides whether to include an entry's text; its leaf hash is always included. */
export function writeHour(
  hour: Seal & { entries: readonly string[] },
  isRevealed: (entry: string) => boolean = () => true,
) {
  const entries = hour.entries.map((entry) => ({
    leaf: hashLeaf(entry).toString('hex'),
    entry: isRevealed(entry) ? entry : null,
  }));
  return { ...writeSeal(hour), entries };
}

export function writeProof(
  hour: Seal & { entries: readonly string[] },
  seq: number,
  isRevealed: (entry: string) => boolean,
) {
  const index = seq - hour.firstSeq;
  const leaves = hour.entries.map(hashLeaf);
  const entry = hour.entries[index]!;
  const path = findPath(leaves, index).map((sibling) => sibling.toString('hex'));
  const proof = { seq, leaf: leaves[index]!.toString('hex'), entry: isRevealed(entry) ? entry : null, path };
  return { ...writeSeal(hour), proof };
}

/** Last line of an exported file; it reveals truncation at either end. */
export function writeSummary(hours: readonly Pick<Seal, 'size' | 'previous' | 'chain'>[]) {
  return {
    summary: {
      hours: hours.length,
      entries: hours.reduce((sum, { size }) => sum + size, 0),
      previous: hours[0]?.previous,
      newest: hours.at(-1)?.chain,
    },
  };
}
