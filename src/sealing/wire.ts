// Published form of the seals; also the file format that `verify` reads.

import { buildTree, findPath, hashLeaf, type MerkleTree, type Seal } from './seal.ts';

export function writeSeal({ hourTs, firstSeq, size, root, previous, chain }: Seal) {
  return { hour_ts: hourTs, first_seq: firstSeq, size, root, previous, chain };
}

interface Hour extends Seal {
  entries: readonly string[];
  /** Hashes of the entries, if they are known. */
  leaves?: readonly string[];
}

export function hashEntries(entries: readonly string[]): string[] {
  return entries.map(hashLeaf);
}

/** `isRevealed` decides whether to include an entry's text; its leaf hash is always included. */
export function writeHour(hour: Hour, isRevealed: (entry: string) => boolean = () => true) {
  const { leaves = hashEntries(hour.entries) } = hour;
  const entries = hour.entries.map((entry, index) => ({
    leaf: leaves[index]!,
    entry: isRevealed(entry) ? entry : null,
  }));
  return { ...writeSeal(hour), entries };
}

export function writeProof(
  hour: Hour,
  seq: number,
  isRevealed: (entry: string) => boolean,
  tree: MerkleTree = buildTree(hour.leaves ?? hashEntries(hour.entries)),
) {
  const index = seq - hour.firstSeq;
  const entry = hour.entries[index]!;
  const leaf = tree[0]![index]!.toString('hex');
  const proof = { seq, leaf, entry: isRevealed(entry) ? entry : null, path: findPath(tree, index) };
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
