// Checks published seals offline: a whole record, some of its hours, or proofs of single entries.
//
//   intact     the record: every hour since the first, in order, each with all of its entries
//   complete   hours with all of their entries; says nothing about other hours
//   proven     single entries that are in their hours; says nothing about other entries
//
// A service that rewrites its whole history produces a new, consistent chain. Only a chain hash that was saved
// earlier reveals it.

import { hash } from 'node:crypto';
import { HOUR_MS, plural } from '../domain/units.ts';
import { LATE_MS, type LogEntry } from './entry.ts';
import { buildTree, hashLeaf, NO_SEAL, rootOf, writeChainText } from './seal.ts';
import type { writeSeal } from './wire.ts';

const MAX_LINE_LENGTH = 2 ** 25;
const MAX_PROBLEMS = 1_000;
const MAX_PRINTED = 50;

interface WireEntry {
  leaf: string;
  /** null if it is withheld. */
  entry: string | null;
}

interface WireProof extends WireEntry {
  seq: number;
  path: string[];
}

type WireSeal = ReturnType<typeof writeSeal> & { entries?: WireEntry[]; proof?: WireProof };

interface Summary {
  hours: number;
  entries: number;
  previous?: string;
  newest?: string;
}

export interface Verification {
  answer: 'intact' | 'complete' | 'proven' | 'broken';
  problems: string[];
  hours: number;
  /** Number of entries with a text, all of which were checked. */
  revealed: number;
  hidden: number;
  /** Numbers of the withheld entries, by hour. */
  withheld: string[];
  proven: string[];
  /** Chain hash of the last hour. */
  newest: string | null;
}

const isHash = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
/** A lone surrogate is hashed as U+FFFD, so it could replace that character. */
const isText = (value: unknown) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);
const isNumber = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;

function expect(isTrue: unknown, problem: string): asserts isTrue {
  if (!isTrue) throw new Error(problem);
}

function checkSeal(part: unknown): WireSeal {
  const seal = Object(part) as WireSeal;
  const { hour_ts: hourTs, first_seq: firstSeq, size, root, previous, chain } = seal;
  const isSeal = isNumber(hourTs) && hourTs % HOUR_MS === 0 && isNumber(firstSeq) && isNumber(size);
  expect(isSeal && [root, previous, chain].every(isHash), 'is not a seal');
  const text = writeChainText({ hourTs, firstSeq, size, root, previous });
  expect(hash('sha256', text) === chain, 'the chain hash does not match the seal');
  return seal;
}

/** Returns the numbers of the entries that are withheld. */
function checkEntries(seal: WireSeal): number[] {
  const { first_seq: firstSeq, size, root, entries } = seal;
  expect(Array.isArray(entries), `its ${size} entries are not in the file`);
  expect(entries.length === size, `${size} entries were sealed, but the file has ${entries.length}`);
  const leaves = entries.map(({ leaf }) => leaf);
  expect(leaves.every(isHash), 'a hash is not 64 hex digits');
  expect(rootOf(buildTree(leaves)) === root, 'the entries do not match the root');
  return entries.flatMap((entry, i) => (checkText(seal, firstSeq + i, entry) ? [] : [firstSeq + i]));
}

/** Returns whether the entry's text is revealed. */
function checkText({ hour_ts: hourTs }: WireSeal, seq: number, { leaf, entry }: WireEntry): boolean {
  if (entry === null) return false;
  expect(isText(entry) && hashLeaf(entry) === leaf, `entry ${seq} differs from the sealed text`);
  const { seq: own, made, asof_ts: asofTs } = JSON.parse(entry) as LogEntry;
  expect(own === seq, `entry ${seq} has number ${own}`);
  const isOfHour = asofTs >= hourTs - LATE_MS && asofTs < hourTs + HOUR_MS;
  const isMarkedRight = made === 'recomputed' || (made === 'forward' && isOfHour);
  expect(isMarkedRight, `entry ${seq} is marked ${made} but describes another hour`);
  return true;
}

function checkProof(seal: WireSeal, proof: WireProof): string {
  const { seq, leaf, path } = proof;
  expect(isNumber(seq), 'the number of a proven entry is not a number');
  expect([leaf, ...path].every(isHash), 'a hash is not 64 hex digits');
  const index = seq - seal.first_seq;
  const isInHour = index >= 0 && index < seal.size;
  const root = isInHour ? climb(leaf, index, seal.size, path) : null;
  expect(root === seal.root, `the proof of entry ${seq} does not lead to the root`);
  return `entry ${seq}${checkText(seal, seq, proof) ? '' : ' (text withheld)'} is in ${nameOf(seal)}`;
}

/** Computes the root from one leaf and its siblings, lowest first; null if their number is wrong. */
function climb(leaf: string, index: number, size: number, path: readonly string[]): string | null {
  if (size <= 1) return path.length === 0 ? leaf : null;
  const sibling = path.at(-1);
  if (sibling === undefined) return null;
  /** The tree splits at the largest power of two below the number of leaves. */
  const split = 2 ** Math.floor(Math.log2(size - 1));
  const isLeft = index < split;
  const rest = path.slice(0, -1);
  const own = isLeft ? climb(leaf, index, split, rest) : climb(leaf, index - split, size - split, rest);
  return own && rootOf(buildTree(isLeft ? [own, sibling] : [sibling, own]));
}

/** Checks one document at a time, so that a record of any length fits in memory. */
export class SealVerifier {
  readonly #problems: string[] = [];
  readonly #withheld: string[] = [];
  readonly #proven: string[] = [];
  #hours = 0;
  #revealed = 0;
  #hidden = 0;
  #documents = 0;
  #first: WireSeal | null = null;
  #last: WireSeal | null = null;
  #summary: Summary | null = null;
  /** Only an accepted hour shows that a chain hash belongs to the record; a proof shows one entry. */
  readonly #chains = new Set<string>();
  readonly #provenChains = new Set<string>();

  get #isFull(): boolean {
    return this.#problems.length >= MAX_PROBLEMS;
  }

  /**
   * An hour, a proof, a page of either, or the closing line. Reports the first problem of each. Returns false
   * once there are so many problems that nothing more is checked.
   */
  add(document: unknown): boolean {
    this.#documents += 1;
    const data = (document as { data?: unknown } | null)?.data ?? document;
    for (const part of Array.isArray(data) ? data : [data]) {
      if (this.#isFull) return false;
      try {
        this.#addPart(part);
      } catch (error) {
        const problem = `${nameOf(part) ?? `document ${this.#documents}`}: ${(error as Error).message}`;
        // The file must not write control characters to the terminal.
        this.#problems.push(problem.replace(/[^ -~]/g, '?'));
      }
    }
    return !this.#isFull;
  }

  #addPart(part: { summary?: Summary } | null): void {
    expect(!this.#summary, 'the file continues after its closing line');
    if (part?.summary) {
      this.#summary = part.summary;
      return;
    }
    const seal = checkSeal(part);
    if (seal.proof !== undefined) {
      this.#proven.push(checkProof(seal, seal.proof));
      this.#provenChains.add(seal.chain);
    }
    if (seal.proof === undefined || seal.entries !== undefined) this.#addHour(seal);
  }

  #addHour(seal: WireSeal): void {
    const before = this.#last;
    this.#first ??= seal;
    this.#last = { ...seal, entries: [] };
    this.#hours += 1;
    const withheld = checkEntries(seal);
    this.#revealed += seal.size - withheld.length;
    this.#hidden += withheld.length;
    if (withheld.length > 0) this.#withheld.push(`${nameOf(seal)}: ${toRanges(withheld)}`);
    expect(!before || follows(before, seal), `does not follow ${nameOf(before)}`);
    this.#chains.add(seal.chain);
  }

  finish(known: readonly string[] = []): Verification {
    const isChecked = !this.#isFull;
    if (isChecked) this.#checkEnd(known);
    const answer = this.#summary ? 'intact' : this.#hours > 0 ? 'complete' : 'proven';
    return {
      answer: this.#problems.length > 0 ? 'broken' : answer,
      problems: this.#problems,
      hours: this.#hours,
      revealed: this.#revealed,
      hidden: this.#hidden,
      withheld: this.#withheld,
      proven: this.#proven,
      newest: (isChecked && this.#last?.chain) || null,
    };
  }

  #checkEnd(known: readonly string[]): void {
    const report = (isFault: unknown, problem: string) => isFault && this.#problems.push(problem);
    const [hours, first, summary] = [this.#hours, this.#first, this.#summary];
    const provenCount = this.#proven.length;
    report(hours + provenCount + this.#problems.length === 0, 'the file has no seals');
    report(!summary && hours > 0 && this.#documents > 1, 'the closing line is missing');
    const totals = [hours, this.#revealed + this.#hidden, first?.previous, this.#last?.chain];
    const closing = summary && [summary.hours, summary.entries, summary.previous, summary.newest];
    const isClosing = closing?.every((value, i) => value === totals[i]);
    report(summary && !isClosing, 'the closing line does not match the file');
    const isFromStart = first?.previous === NO_SEAL && first.first_seq === 1;
    report(summary && !isFromStart, 'the first hours are missing');
    const isRecord = hours > 0 || summary !== null;
    report(isRecord && provenCount > 0, 'a proof does not belong in a file with hours');
    const shown = isRecord ? this.#chains : this.#provenChains;
    for (const chain of known) report(!shown.has(chain), `known chain ${chain} is not in the file`);
    // Proofs are not linked to each other, so one of a known hour says nothing about one of another.
    for (const chain of isRecord || known.length === 0 ? [] : this.#provenChains)
      report(!known.includes(chain), `a proof is from chain ${chain}, which is not known`);
  }
}

function follows(before: WireSeal, { hour_ts: hourTs, first_seq: firstSeq, previous }: WireSeal): boolean {
  const isNext = previous === before.chain && firstSeq === before.first_seq + before.size;
  return isNext && hourTs > before.hour_ts;
}

function nameOf(seal: unknown): string | null {
  const hourTs = (seal as Partial<WireSeal> | null)?.hour_ts;
  // Anything else than a number may run the file's code or overflow the stack when it is converted.
  if (!Number.isSafeInteger(hourTs)) return null;
  const date = new Date(hourTs!);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 13);
}

function toRanges(numbers: readonly number[]): string {
  const starts = numbers.filter((number, i) => numbers[i - 1] !== number - 1);
  const ends = numbers.filter((number, i) => numbers[i + 1] !== number + 1);
  return starts.map((start, i) => (start === ends[i] ? start : `${start}-${ends[i]}`)).join(', ');
}

/** Checks a text with one JSON document per line, in chunks. */
export async function verifySeals(
  chunks: AsyncIterable<string> | Iterable<string>,
  known?: readonly string[],
): Promise<Verification> {
  const verifier = new SealVerifier();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    if (!lines.every((line) => addLine(verifier, line))) return verifier.finish(known);
    if (rest.length > MAX_LINE_LENGTH) {
      rest = 'a line that is too long';
      break;
    }
  }
  addLine(verifier, rest);
  return verifier.finish(known);
}

/** A line that is not JSON is reported, because it is not a seal. Returns whether to continue. */
function addLine(verifier: SealVerifier, line: string): boolean {
  if (line.trim() === '') return true;
  let document: unknown = null;
  try {
    document = JSON.parse(line);
  } catch {}
  return verifier.add(document);
}

export function describeResult(result: Verification): string[] {
  const { answer, problems, hours, revealed, hidden, withheld, proven } = result;
  if (answer === 'broken')
    return [
      ...shorten(problems),
      `not intact: ${plural(problems.length, 'problem')}; do not trust this file`,
    ];
  if (answer === 'proven') return [...shorten(proven), 'proven; this says nothing about other entries'];
  const scope = answer === 'intact' ? 'the record' : 'part of the record';
  const entries = plural(revealed, 'entry', 'entries');
  return [
    `${answer}: ${scope}, ${plural(hours, 'hour')}, ${entries} checked, ${hidden} withheld`,
    ...shorten(withheld.map((names) => `withheld in ${names}`)),
  ];
}

function shorten(lines: readonly string[]): string[] {
  return [...lines.slice(0, MAX_PRINTED), ...(lines.length > MAX_PRINTED ? ['…'] : [])];
}
