#!/usr/bin/env node
// Checks seals downloaded from a Tallycast service, offline. Needs only Node 18 or later and this file.
//
//   node verify-seals.mjs FILE [--known CHAIN]...
//
// FILE comes from GET /performance/seals, GET /performance/seals/{hour} or `tallycast verify --fetch`: one
// JSON document, or one per line. CHAIN is a chain hash that you saved earlier or found at an anchor.
//
// Checks:
//   leaf   sha256(0x00, entry)                        an entry is the text that was sealed
//   root   Merkle tree of RFC 6962 over the leaves     no entry is missing, added or moved
//   chain  sha256 of hour, numbers, root and the       no hour is missing, added or moved, and none before it
//          chain of the hour before                    was changed after this one was published
//   made   a `forward` entry describes an instant      a forecast computed later cannot pass as one made in time
//          of the hour that it is sealed in
// A service that rewrites its whole history produces a new, consistent chain. Only a chain hash that you
// saved earlier or found at an anchor reveals it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const HOUR_MS = 3_600_000;
const LATE_MS = 600_000;
const FIRST_PREVIOUS = '0'.repeat(64);

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
/** Decodes a hash; rejects anything but 64 lower-case hex digits, because the decoder would skip the rest. */
function hex(text) {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('a hash is not 64 hex digits');
  return Buffer.from(text, 'hex');
}

export const hashLeaf = (entry) => sha256(Buffer.of(0), entry);
const hashNode = (left, right) => sha256(Buffer.of(1), left, right);

/** The tree splits at the largest power of two below the number of leaves. */
function computeRoot(leaves) {
  if (leaves.length === 0) return sha256('');
  if (leaves.length === 1) return leaves[0];
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return hashNode(computeRoot(leaves.slice(0, split)), computeRoot(leaves.slice(split)));
}

/** Computes the root from one leaf and its siblings, lowest first. */
function climb(leaf, index, size, path) {
  if (size <= 1) return path.length === 0 ? leaf : null;
  const split = 2 ** Math.floor(Math.log2(size - 1));
  const sibling = path.at(-1);
  if (!sibling) return null;
  const rest = path.slice(0, -1);
  const isLeft = index < split;
  const own = isLeft ? climb(leaf, index, split, rest) : climb(leaf, index - split, size - split, rest);
  if (!own) return null;
  return isLeft ? hashNode(own, sibling) : hashNode(sibling, own);
}

export function computeChain({ hour_ts, first_seq, size, root, previous }) {
  const hour = new Date(hour_ts).toISOString();
  return sha256(`tallycast seal 1\n${previous}\n${hour}\n${first_seq}\n${size}\n${root}\n`).toString('hex');
}

/** Returns the problems; an empty list means that the file is intact. */
export function verifySeals(text, known = []) {
  const problems = [];
  const documents = parse(text, problems);
  const seals = documents.flatMap(listSeals);
  const summary = documents.find(({ summary }) => summary)?.summary;
  if (seals.length === 0 && problems.length === 0) problems.push('the file has no seals');
  for (const seal of seals) problems.push(...checkSeal(seal).map((problem) => `${nameOf(seal)}: ${problem}`));
  problems.push(...checkOrder(seals));
  if (summary) problems.push(...checkSummary(seals, summary));
  // A file with several documents needs a closing line, so that truncation is detected.
  else if (documents.length > 1) problems.push('the closing line is missing');
  const chains = new Set(seals.map(({ chain }) => chain));
  for (const chain of known) if (!chains.has(chain)) problems.push(`known chain ${chain} is not in the file`);
  return { problems, seals: seals.length, ...countEntries(seals) };
}

function parse(text, problems) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split('\n').flatMap((line, i) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line)];
      } catch {
        problems.push(`line ${i + 1} is not JSON`);
        return [];
      }
    });
  }
}

/** A page of seals, one hour, or a proof. */
function listSeals(document) {
  const data = document?.data ?? document;
  if (Array.isArray(data)) return data;
  return data && 'chain' in data ? [data] : [];
}

function checkSeal(seal) {
  try {
    if (computeChain(seal) !== seal.chain) return ['the chain hash does not match the seal'];
    if (seal.proof) return checkProof(seal);
    return seal.entries ? checkEntries(seal) : [];
  } catch (error) {
    return [`cannot be read: ${error.message}`];
  }
}

function checkEntries({ hour_ts, first_seq, size, root, entries }) {
  const problems =
    entries.length === size ? [] : [`${size} entries were sealed, but the file has ${entries.length}`];
  const leaves = entries.map(({ leaf }) => hex(leaf));
  if (computeRoot(leaves).toString('hex') !== root) problems.push('the entries do not match the root');
  entries.forEach(({ leaf, entry }, i) => {
    if (entry !== null) problems.push(...checkEntry(entry, leaf, first_seq + i, hour_ts));
  });
  return problems;
}

/** An entry without text is not revealed yet, but its leaf is part of the root. */
function checkEntry(entry, leaf, seq, hourTs) {
  if (hashLeaf(entry).toString('hex') !== leaf) return [`entry ${seq} differs from the sealed text`];
  const { seq: own, made, asof_ts } = JSON.parse(entry);
  const isOfHour = asof_ts >= hourTs - LATE_MS && asof_ts < hourTs + HOUR_MS;
  return [
    ...(own === seq ? [] : [`entry ${seq} has number ${own}`]),
    ...(made === 'recomputed' || (made === 'forward' && isOfHour)
      ? []
      : [`entry ${seq} is marked ${made} but describes another hour`]),
  ];
}

function checkProof({ hour_ts, first_seq, size, root, proof: { seq, leaf, entry, path } }) {
  const found = climb(hex(leaf), seq - first_seq, size, path.map(hex));
  const problems =
    found?.toString('hex') === root ? [] : [`the proof of entry ${seq} does not lead to the root`];
  return entry === null ? problems : [...problems, ...checkEntry(entry, leaf, seq, hour_ts)];
}

function checkOrder(seals) {
  return seals.slice(1).flatMap((seal, i) => {
    const before = seals[i];
    const follows =
      seal.previous === before.chain &&
      seal.hour_ts > before.hour_ts &&
      seal.first_seq === before.first_seq + before.size;
    return follows ? [] : [`${nameOf(seal)} does not follow ${nameOf(before)}`];
  });
}

function checkSummary(seals, { hours, entries, previous, newest }) {
  const { revealed, hidden } = countEntries(seals);
  const isSame =
    hours === seals.length &&
    entries === revealed + hidden &&
    previous === seals[0]?.previous &&
    newest === seals.at(-1)?.chain;
  return isSame ? [] : ['the closing line does not match the hours and entries in the file'];
}

function countEntries(seals) {
  const entries = seals.flatMap(({ entries = [] }) => entries);
  const hidden = entries.filter(({ entry }) => entry === null).length;
  const isFromStart = seals[0]?.previous === FIRST_PREVIOUS;
  return { revealed: entries.length - hidden, hidden, isFromStart };
}

function nameOf({ hour_ts }) {
  const date = new Date(hour_ts);
  return Number.isNaN(date.getTime()) ? `hour ${hour_ts}` : date.toISOString().slice(0, 13);
}

export function describeResult({ problems, seals, revealed, hidden, isFromStart }) {
  if (problems.length > 0)
    return [...problems.slice(0, 50), `${problems.length} problems: do not trust this file`];
  const start = isFromStart ? 'starting with the first hour' : 'without earlier hours';
  return [`intact: ${seals} hours (${start}), ${revealed} entries, ${hidden} not revealed yet`];
}

if (process.argv[1]?.endsWith('verify-seals.mjs')) {
  const args = process.argv.slice(2);
  const known = args.flatMap((arg, i) => (args[i - 1] === '--known' ? [arg] : []));
  const [file] = args.filter((arg, i) => !arg.startsWith('--') && args[i - 1] !== '--known');
  if (!file) throw new Error('usage: node verify-seals.mjs FILE [--known CHAIN]...');
  const result = verifySeals(readFileSync(file, 'utf8'), known);
  console.log(describeResult(result).join('\n'));
  process.exitCode = result.problems.length > 0 ? 1 : 0;
}
