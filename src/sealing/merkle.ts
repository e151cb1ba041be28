// RFC 6962 Merkle tree: leaves and nodes use different hash prefixes, so a node cannot pass for a leaf.

import { createHash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export function hashLeaf(text: string): Buffer {
  return createHash('sha256').update(LEAF).update(text, 'utf8').digest();
}

function hashNode(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

export function computeRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0]!;
  const split = splitAt(leaves.length);
  return hashNode(computeRoot(leaves.slice(0, split)), computeRoot(leaves.slice(split)));
}

/** Siblings from the leaf up to the root. */
export function findPath(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length <= 1) return [];
  const split = splitAt(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...findPath(left, index), computeRoot(right)]
    : [...findPath(right, index - split), computeRoot(left)];
}

/** The largest power of two smaller than the number of leaves. */
function splitAt(leaves: number): number {
  return 2 ** Math.floor(Math.log2(leaves - 1));
}
