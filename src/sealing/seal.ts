// An hour's seal: the Merkle root of its entries, chained to the previous seal. The hashed text is plain, so
// `printf … | sha256sum` reproduces the hash.

import { hash } from 'node:crypto';

export interface Seal {
  hourTs: number;
  /** Sequence number of the first entry; numbering continues across hours. */
  firstSeq: number;
  size: number;
  /** Hex, like `previous` and `chain`. */
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
  const root = rootOf(buildTree(entries.map(hashLeaf)));
  const head = { hourTs, firstSeq, size: entries.length, root, previous };
  return { ...head, chain: computeChain(head) };
}

function computeChain(head: Omit<Seal, 'chain'>): string {
  return sha256(writeChainText(head));
}

/** The text with the chain hash as its SHA-256. */
export function writeChainText({ hourTs, firstSeq, size, root, previous }: Omit<Seal, 'chain'>): string {
  const hour = new Date(hourTs).toISOString();
  return `tallycast seal 1\n${previous}\n${hour}\n${firstSeq}\n${size}\n${root}\n`;
}

/** Whether `seal` directly continues `before`; `before` is undefined for the first seal. */
export function follows(before: Seal | undefined, seal: Seal): boolean {
  if (!before) return seal.previous === NO_SEAL;
  return seal.previous === before.chain && seal.firstSeq === before.firstSeq + before.size;
}

/** Running digest of unsealed entries; detects a lost or changed entry. */
export function addToRunning(running: string, hourTs: number, entry: string): string {
  return sha256(`${running}\n${hourTs}\n${hashLeaf(entry)}\n`);
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

// RFC 6962 Merkle tree: leaves and nodes use different hash prefixes, so a node cannot pass for a leaf.

const LEAF = '\0';
/** Reused, because a tree has as many nodes as leaves. */
const NODE = Buffer.alloc(65, 1);

/** Hex, which is faster to get than a buffer. */
export function hashLeaf(text: string): string {
  return sha256(LEAF + text);
}

function hashNode(left: Buffer, right: Buffer): Buffer {
  left.copy(NODE, 1);
  right.copy(NODE, 33);
  return hash('sha256', NODE, 'buffer');
}

/** Hashes by level, from the leaves to the root. */
export type MerkleTree = readonly (readonly Buffer[])[];

export function buildTree(leaves: readonly string[]): MerkleTree {
  if (leaves.length === 0) return [[hash('sha256', '', 'buffer')]];
  const levels: Buffer[][] = [leaves.map((leaf) => Buffer.from(leaf, 'hex'))];
  for (let level = levels[0]!; level.length > 1; levels.push(level)) level = joinPairs(level);
  return levels;
}

/** The last of an odd number has no sibling and moves up unchanged. */
function joinPairs(level: readonly Buffer[]): Buffer[] {
  const parents: Buffer[] = [];
  for (let i = 0; i < level.length; i += 2)
    parents.push(i + 1 < level.length ? hashNode(level[i]!, level[i + 1]!) : level[i]!);
  return parents;
}

export function rootOf(tree: MerkleTree): string {
  return tree.at(-1)![0]!.toString('hex');
}

/** Siblings from the leaf up to the root. */
export function findPath(tree: MerkleTree, index: number): string[] {
  return tree.flatMap((level, height) => level[(index >> height) ^ 1]?.toString('hex') ?? []);
}
