#!/usr/bin/env node
// Checks seals downloaded from a Tallycast service, offline. Needs only Node 18 or later and this file.
//
//   node verify-seals.mjs FILE [--known CHAIN]...
//
// FILE comes from `tallycast verify --fetch` (the record) or GET /performance/seals/{hour} (an hour, or the
// proof of one entry); one JSON document per line. CHAIN is a chain hash that you saved earlier or found at
// an anchor. docs/record.md defines the three answers and the hashes. Exits 1 if there is any problem.
//
//   intact     the record: every hour since the first, in order, each with all of its entries
//   complete   hours with all of their entries; says nothing about other hours
//   proven     single entries that are in their hours; says nothing about other entries
//
// A service that rewrites its whole history produces a new, consistent chain. Only a chain hash that you
// saved earlier or found at an anchor reveals it.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const HOUR_MS = 3_600_000;
const LATE_MS = 600_000;
const FIRST_PREVIOUS = '0'.repeat(64);
const CHUNK_BYTES = 2 ** 20;
const MAX_LINE_LENGTH = 2 ** 25;
const MAX_PROBLEMS = 1_000;
const MAX_PRINTED = 50;

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const hashLeaf = (entry) => sha256(Buffer.of(0), entry);
const hashNode = (left, right) => sha256(Buffer.of(1), left, right);
const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
/** A lone surrogate is hashed as U+FFFD, so it could replace that character. */
const isText = (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);
const isNumber = (value) => Number.isSafeInteger(value) && value >= 1;
/** The tree splits at the largest power of two below the number of leaves. */
const splitAt = (size) => 2 ** Math.floor(Math.log2(size - 1));

function expect(isTrue, problem) {
  if (!isTrue) throw new Error(problem);
}

function decode(hash) {
  expect(isHash(hash), 'a hash is not 64 hex digits');
  return Buffer.from(hash, 'hex');
}

function computeRoot(leaves) {
  if (leaves.length <= 1) return leaves[0] ?? sha256('');
  const split = splitAt(leaves.length);
  return hashNode(computeRoot(leaves.slice(0, split)), computeRoot(leaves.slice(split)));
}

/** Computes the root from one leaf and its siblings, lowest first; null if their number is wrong. */
function climb(leaf, index, size, path) {
  if (size <= 1) return path.length === 0 ? leaf : null;
  const split = splitAt(size);
  const isLeft = index < split;
  const rest = path.slice(0, -1);
  const own = isLeft ? climb(leaf, index, split, rest) : climb(leaf, index - split, size - split, rest);
  if (!own || path.length === 0) return null;
  return isLeft ? hashNode(own, path.at(-1)) : hashNode(path.at(-1), own);
}

function checkSeal(seal) {
  const { hour_ts, first_seq, size, root, previous, chain } = Object(seal);
  const isSeal = isNumber(hour_ts) && hour_ts % HOUR_MS === 0 && isNumber(first_seq) && isNumber(size);
  expect(isSeal && [root, previous, chain].every(isHash), 'is not a seal');
  const text = `tallycast seal 1\n${previous}\n${new Date(hour_ts).toISOString()}\n${first_seq}\n${size}\n${root}\n`;
  expect(sha256(text).toString('hex') === chain, 'the chain hash does not match the seal');
}

/** Returns the numbers of the entries that are withheld. */
function checkEntries(seal) {
  const { first_seq, size, root, entries } = seal;
  expect(Array.isArray(entries), `its ${size} entries are not in the file`);
  expect(entries.length === size, `${size} entries were sealed, but the file has ${entries.length}`);
  const leaves = entries.map(({ leaf }) => decode(leaf));
  expect(computeRoot(leaves).toString('hex') === root, 'the entries do not match the root');
  return entries.flatMap((entry, i) => (checkText(seal, first_seq + i, entry) ? [] : [first_seq + i]));
}

/** Returns whether the entry's text is revealed. */
function checkText({ hour_ts }, seq, { leaf, entry }) {
  if (entry === null) return false;
  const isSealed = isText(entry) && hashLeaf(entry).toString('hex') === leaf;
  expect(isSealed, `entry ${seq} differs from the sealed text`);
  const { seq: own, made, asof_ts } = JSON.parse(entry);
  expect(own === seq, `entry ${seq} has number ${own}`);
  const isOfHour = asof_ts >= hour_ts - LATE_MS && asof_ts < hour_ts + HOUR_MS;
  const isMarkedRight = made === 'recomputed' || (made === 'forward' && isOfHour);
  expect(isMarkedRight, `entry ${seq} is marked ${made} but describes another hour`);
  return true;
}

function checkProof(seal, proof) {
  const { seq, leaf, path } = proof;
  expect(isNumber(seq), 'the number of a proven entry is not a number');
  const index = seq - seal.first_seq;
  const root = index >= 0 && index < seal.size && climb(decode(leaf), index, seal.size, path.map(decode));
  expect(root && root.toString('hex') === seal.root, `the proof of entry ${seq} does not lead to the root`);
  return `entry ${seq}${checkText(seal, seq, proof) ? '' : ' (text withheld)'} is in ${nameOf(seal)}`;
}

/** Checks one document at a time, so that a record of any length fits in memory. */
export function createVerifier() {
  const found = { problems: [], hours: 0, revealed: 0, hidden: 0, withheld: [], proven: [] };
  /** Only an accepted hour shows that a chain hash belongs to the record; a proof shows one entry. */
  const [chains, provenChains] = [new Set(), new Set()];
  let [documents, first, last, summary] = [0, null, null, null];

  const isFull = () => found.problems.length >= MAX_PROBLEMS;

  /**
   * An hour, a proof, a page of either, or the closing line. Reports the first problem of each. Returns false
   * once there are so many problems that nothing more is checked.
   */
  function add(document) {
    documents += 1;
    const data = document?.data ?? document;
    for (const part of Array.isArray(data) ? data : [data]) {
      if (isFull()) return false;
      try {
        expect(!summary, 'the file continues after its closing line');
        if (part?.summary) summary = part.summary;
        else addSeal(part);
      } catch (error) {
        const problem = `${nameOf(part) ?? `document ${documents}`}: ${error.message}`;
        // The file must not write control characters to the terminal.
        found.problems.push(problem.replace(/[^ -~]/g, '?'));
      }
    }
    return !isFull();
  }

  function addSeal(seal) {
    checkSeal(seal);
    if (seal.proof !== undefined) addProof(seal);
    if (seal.proof === undefined || seal.entries !== undefined) addHour(seal);
  }

  function addProof(seal) {
    found.proven.push(checkProof(seal, seal.proof));
    provenChains.add(seal.chain);
  }

  function addHour(seal) {
    const before = last;
    first ??= seal;
    last = { ...seal, entries: null };
    found.hours += 1;
    const withheld = checkEntries(seal);
    found.revealed += seal.size - withheld.length;
    found.hidden += withheld.length;
    if (withheld.length > 0) found.withheld.push(`${nameOf(seal)}: ${toRanges(withheld)}`);
    expect(!before || follows(before, seal), `does not follow ${nameOf(before)}`);
    chains.add(seal.chain);
  }

  function finish(known = []) {
    const { problems, hours, revealed, hidden, proven } = found;
    // The rest was not checked, so nothing can be said about the file as a whole.
    if (isFull()) return { ...found, newest: null, answer: 'broken' };
    const report = (isFault, problem) => isFault && problems.push(problem);
    report(hours + proven.length + problems.length === 0, 'the file has no seals');
    report(!summary && hours > 0 && documents > 1, 'the closing line is missing');
    const totals = [hours, revealed + hidden, first?.previous, last?.chain];
    const closing = summary && [summary.hours, summary.entries, summary.previous, summary.newest];
    const isClosing = closing?.every((value, i) => value === totals[i]);
    report(summary && !isClosing, 'the closing line does not match the file');
    const isFromStart = first?.previous === FIRST_PREVIOUS && first.first_seq === 1;
    report(summary && !isFromStart, 'the first hours are missing');
    const isRecord = hours > 0 || Boolean(summary);
    report(isRecord && proven.length > 0, 'a proof does not belong in a file with hours');
    for (const chain of known)
      report(!(isRecord ? chains : provenChains).has(chain), `known chain ${chain} is not in the file`);
    // Proofs are not linked to each other, so one of a known hour says nothing about one of another.
    for (const chain of isRecord || known.length === 0 ? [] : provenChains)
      report(!known.includes(chain), `a proof is from chain ${chain}, which is not known`);
    const answer = summary ? 'intact' : hours > 0 ? 'complete' : 'proven';
    return { ...found, newest: last?.chain ?? null, answer: problems.length > 0 ? 'broken' : answer };
  }

  return { add, finish };
}

function follows(before, { hour_ts, first_seq, previous }) {
  const isNext = previous === before.chain && first_seq === before.first_seq + before.size;
  return isNext && hour_ts > before.hour_ts;
}

function nameOf(seal) {
  // Anything else than a number may run the file's code or overflow the stack when it is converted.
  if (!Number.isSafeInteger(seal?.hour_ts)) return null;
  const date = new Date(seal.hour_ts);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 13);
}

function toRanges(numbers) {
  const starts = numbers.filter((number, i) => numbers[i - 1] !== number - 1);
  const ends = numbers.filter((number, i) => numbers[i + 1] !== number + 1);
  return starts.map((start, i) => (start === ends[i] ? start : `${start}-${ends[i]}`)).join(', ');
}

/** Checks a text with one JSON document per line, in chunks. */
export async function verifySeals(chunks, known) {
  const verifier = createVerifier();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    if (!lines.every((line) => addLine(verifier, line))) return verifier.finish(known);
    if (rest.length > MAX_LINE_LENGTH) {
      rest = 'a line that is too long';
      break;
    }
  }
  addLine(verifier, rest);
  return verifier.finish(known);
}

export function verifyFile(path, known) {
  return verifySeals(createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES }), known);
}

/** A line that is not JSON is reported, because it is not a seal. Returns whether to continue. */
function addLine(verifier, line) {
  if (line.trim() === '') return true;
  let document;
  try {
    document = JSON.parse(line);
  } catch {
    document = null;
  }
  return verifier.add(document);
}

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export function describeResult({ answer, problems, hours, revealed, hidden, withheld, proven }) {
  const shorten = (lines) => [...lines.slice(0, MAX_PRINTED), ...(lines.length > MAX_PRINTED ? ['…'] : [])];
  if (answer === 'broken')
    return [
      ...shorten(problems),
      `not intact: ${plural(problems.length, 'problem')}; do not trust this file`,
    ];
  if (answer === 'proven') return [...shorten(proven), 'proven; this says nothing about other entries'];
  const scope = answer === 'intact' ? 'the record' : 'part of the record';
  return [
    `${answer}: ${scope}, ${plural(hours, 'hour')}, ${plural(revealed, 'entry', 'entries')} checked, ${hidden} withheld`,
    ...shorten(withheld.map((names) => `withheld in ${names}`)),
  ];
}

const USAGE = 'usage: node verify-seals.mjs FILE [--known CHAIN]...';

/** Anything unknown is refused: an ignored `--known` would call a rewritten history intact. */
function readArguments(args) {
  const options = { known: { type: 'string', multiple: true } };
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    expect(positionals.length > 0, 'FILE is missing');
    expect(positionals.length === 1, `unexpected argument "${positionals[1]}"`);
    return { file: positionals[0], known: values.known };
  } catch (error) {
    return { problem: error.message };
  }
}

async function main() {
  const { problem, file, known } = readArguments(process.argv.slice(2));
  if (problem !== undefined) {
    console.error(`${problem}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const result = await verifyFile(file, known);
  console.log(describeResult(result).join('\n'));
  process.exitCode = result.answer === 'broken' ? 1 : 0;
}

/** Under any name and through links, but not if another program imports or bundles this file. */
function isRunDirectly() {
  const path = process.argv[1];
  if (!path || !existsSync(path)) return false;
  return [path, realpathSync(path)].some((each) => pathToFileURL(each).href === import.meta.url);
}

if (isRunDirectly()) await main();
