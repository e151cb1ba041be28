// Forged records, hours and proofs: the verifier must find each of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashLeaf } from '../../src/sealing/seal.ts';
import { describeResult, SealVerifier, verifySeals } from '../../src/sealing/verify-seals.ts';
import { writeHour, writeProof, writeSummary } from '../../src/sealing/wire.ts';
import { HOUR_MS, START_TS } from '../store/samples.ts';
import {
  type Change,
  close,
  ENTRIES,
  forge,
  HOURS,
  type Loose,
  lines,
  NEWEST,
  OTHER,
  RECORD,
  REWRITTEN,
  sealOne,
  sealRecord,
  TEXTS,
  wire,
} from './sealed-record.ts';

const HUGE = 40 * 2 ** 20;

const proofOf = (seq: number): Loose => writeProof(RECORD[1]!, seq, () => true);
const SEQ = ENTRIES + 2;

/** Seals the second hour's forged entries and returns it with a matching chain hash. */
function reseal(hours: Loose[]): void {
  const entries = hours[1].entries.map(({ entry }: Loose) => entry);
  hours[1] = writeHour(sealOne(1, entries, hours[0].chain));
}

function rewrite(entry: Loose, withLeaf: boolean): void {
  entry.entry = forge(entry.entry);
  if (withLeaf) entry.leaf = hashLeaf(entry.entry);
}

/** Changes of the second hour, or of its third entry; the closing line matches the result. */
const IN_PLACE: Record<string, (hour: Loose, entry: Loose, hours: Loose[]) => void> = {
  'text changed': (_, entry) => rewrite(entry, false),
  'text and leaf changed': (_, entry) => rewrite(entry, true),
  'text replaced by another entry': (hour, entry) => (entry.entry = hour.entries[0].entry),
  'text is a number': (_, entry) => (entry.entry = 5),
  'leaf changed': (_, entry) => (entry.leaf = hashLeaf('x')),
  'leaf in upper case': (_, entry) => (entry.leaf = entry.leaf.toUpperCase()),
  'text withheld and leaf changed': (_, entry) => Object.assign(entry, { entry: null, leaf: hashLeaf('x') }),
  'hour resealed alone': (_, entry, hours) => {
    rewrite(entry, false);
    reseal(hours);
  },
  'entry removed': (hour) => hour.entries.splice(2, 1),
  'entry added': (hour) => hour.entries.push({ leaf: hashLeaf('x'), entry: null }),
  'entry duplicated': (hour, entry) => hour.entries.splice(2, 0, entry),
  'entries reordered': (hour) => hour.entries.reverse(),
  'entry moved to another hour': (hour, _, hours) => hours[2].entries.push(hour.entries.pop()),
  'entries of two hours exchanged': (hour, _, hours) =>
    ([hour.entries, hours[2].entries] = [hours[2].entries, hour.entries]),
  'entry null': (hour) => (hour.entries[2] = null),
  'entries absent': (hour) => delete hour.entries,
  'entries replaced by a proof': (_, __, hours) => (hours[1] = proofOf(SEQ)),
  'all entries and leaves rewritten beside a proof': (hour) => {
    hour.proof = proofOf(SEQ).proof;
    for (const entry of hour.entries) rewrite(entry, true);
  },
  'false proof beside genuine entries': (hour) =>
    (hour.proof = { ...proofOf(SEQ).proof, path: proofOf(SEQ + 1).proof.path }),
  'hour moved': (hour) => (hour.hour_ts += HOUR_MS),
  'hour not a full hour': (hour) => (hour.hour_ts += 1),
  'hour an object that cannot be a text': (hour) => (hour.hour_ts = { toString: 1, valueOf: 1 }),
  'proof of the record beside its entries': (hour) => (hour.proof = proofOf(SEQ).proof),
  'proof between hours': (_, __, hours) => hours.splice(1, 0, proofOf(SEQ)),
  'number changed': (hour) => (hour.first_seq += 1),
  'size raised': (hour) => (hour.size += 1),
  'root changed': (hour) => (hour.root = hashLeaf('x')),
  'link changed': (hour) => (hour.previous = hashLeaf('x')),
  'chain changed': (hour) => (hour.chain = hashLeaf('x')),
  'first hour missing': (_, __, hours) => hours.shift(),
  'hour missing': (_, __, hours) => hours.splice(1, 1),
  'hours reordered': (_, __, hours) => hours.reverse(),
  'hour duplicated': (hour, _, hours) => hours.splice(1, 0, hour),
  'hour of another service': (_, __, hours) => (hours[1] = wire(OTHER)[1]),
  'null between hours': (_, __, hours) => hours.splice(1, 0, null),
  'no hours': (_, __, hours) => hours.splice(0),
};

const whole = close(wire(RECORD));
const cutAt = (text: string, share: number) => text.slice(0, Math.floor(text.length * share));
const withProof = (change: (proof: Loose, seal: Loose) => void) => {
  const seal = structuredClone(proofOf(SEQ));
  change(seal.proof, seal);
  return lines(seal);
};
/** Faults that the operator sealed into a consistent chain. */
const sealed = (change: Change) =>
  close(wire(sealRecord(TEXTS, (text, h, i) => (h + i === HOURS ? change(text, h, i) : text))));

const FILES: Record<string, () => string> = {
  'empty file': () => '',
  'not JSON': () => '\u0000\u001b[2Jintact: 4 hours',
  'truncated in an hour': () => cutAt(whole, 0.6),
  'truncated in the closing line': () => whole.slice(0, -20),
  'last hour missing': () => lines(...wire(RECORD.slice(0, -1)), writeSummary(RECORD)),
  'closing line missing': () => lines(...wire(RECORD)),
  'only the closing line': () => lines(writeSummary(RECORD)),
  'hours after the closing line': () => `${whole}\n${lines(wire(OTHER)[0])}`,
  'list of seals without entries': () => lines({ data: wire(RECORD).map(({ entries: _, ...seal }) => seal) }),
  'huge line': () => `${whole}\n${'x'.repeat(HUGE)}`,
  'deeply nested closing line': () =>
    `${lines(...wire(RECORD))}\n{"summary":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a list of a million numbers': () => `[${'7,'.repeat(999_999)}7]`,
  'replacement character exchanged for half a character': () => {
    const hours = wire(sealRecord(TEXTS, (text) => text.replace('"<40"', '"\ufffd"')));
    const [entry] = hours[1].entries;
    entry.entry = entry.entry.replace('\ufffd', '\ud83d');
    return close(hours);
  },
  'entry of another time sealed as forward': () =>
    sealed((text) => text.replace(/"asof_ts":\d+/, `"asof_ts":${START_TS - HOUR_MS}`)),
  'entry with a false number sealed': () => sealed((text) => text.replace(/"seq":\d+/, '"seq":99')),
  'entry that is not JSON sealed': () => sealed(() => 'not JSON'),
  'terminal codes sealed': () => sealed((text) => text.replace('"forward"', '"\\u001b[2Jintact"')),
  'proof of another entry': () => withProof((proof) => (proof.path = proofOf(SEQ + 1).proof.path)),
  'proof with another text and leaf': () => withProof((proof) => rewrite(proof, true)),
  'proof shortened': () => withProof((proof) => proof.path.pop()),
  'proof lengthened': () => withProof((proof) => proof.path.push(hashLeaf('x'))),
  'proof without a path': () => withProof((proof) => delete proof.path),
  'proof of an entry outside the hour': () =>
    withProof((proof, seal) => {
      Object.assign(proof, writeProof(RECORD[1]!, 2 * ENTRIES, () => false).proof);
      proof.seq += seal.size;
    }),
  'proof of half an entry': () => withProof((proof) => Object.assign(proof, { seq: SEQ + 0.5, entry: null })),
  'proof null': () => lines({ ...proofOf(SEQ), proof: null }),
};

/** Its seal has the known chain. */
const KNOWN_PROOF = writeProof(RECORD.at(-1)!, HOURS * ENTRIES, () => false);
const withKnownProof = (record: typeof RECORD) => lines(...wire(record), KNOWN_PROOF, writeSummary(record));

/** Consistent on their own; only a chain hash that was saved earlier reveals them. */
const UNKNOWN: Record<string, () => string> = {
  'history rewritten': () => close(wire(REWRITTEN)),
  'history rewritten beside a proof from the known hour': () => withKnownProof(REWRITTEN),
  'truncated beside a proof from the known hour': () => withKnownProof(RECORD.slice(0, 2)),
  'hour rewritten beside a proof from the known hour': () => lines([wire(REWRITTEN)[0], KNOWN_PROOF]),
  'proof of another history beside one from the known hour': () =>
    lines(
      KNOWN_PROOF,
      writeProof(REWRITTEN[1]!, SEQ, () => true),
    ),
  'hours without a link to the known hour': () => lines([wire(REWRITTEN)[0], wire(RECORD).at(-1)]),
  "another service's record": () => close(wire(OTHER)),
  'truncated with a new closing line': () => close(wire(RECORD.slice(0, -1))),
  'another hour': () => lines(wire(RECORD)[0]),
};

type Forgery = [name: string, make: () => string, known?: string[]];

const forgeries: Forgery[] = [
  ...Object.entries(IN_PLACE).map(([name, change]): Forgery => {
    const make = () => {
      const hours = wire(RECORD);
      change(hours[1], hours[1].entries[2], hours);
      return close(hours);
    };
    return [name, make];
  }),
  ...Object.entries(FILES),
  ...Object.entries(UNKNOWN).map(([name, make]): Forgery => [name, make, [NEWEST]]),
];

const verify = async (text: string, known?: string[]) =>
  describeResult(await verifySeals([text], known)).join('\n');

describe('the verifier', () => {
  for (const [name, make, known] of forgeries) {
    it(`finds: ${name}`, async () => {
      const output = await verify(make(), known);
      assert.match(output, /\nnot intact: \d+ problems?; do not trust this file$/);
      assert.doesNotMatch(output, /^(intact|complete|proven)|[^ -~\n…]/m);
    });
  }

  it('calls a record intact, and counts and names what is withheld', async () => {
    const all = await verify(whole, [NEWEST]);
    assert.equal(all, 'intact: the record, 4 hours, 20 entries checked, 0 withheld');
    const hours = wire(RECORD);
    for (const i of [0, 1, 3]) hours[1].entries[i].entry = null;
    const hour = new Date(hours[1].hour_ts).toISOString().slice(0, 13);
    const some = 'intact: the record, 4 hours, 17 entries checked, 3 withheld';
    assert.equal(await verify(close(hours)), `${some}\nwithheld in ${hour}: 6-7, 9`);
  });

  it('does not call an hour or a proof intact', async () => {
    const hour = await verify(lines(wire(RECORD)[1]));
    assert.equal(hour, 'complete: part of the record, 1 hour, 5 entries checked, 0 withheld');
    for (let seq = ENTRIES + 1; seq <= 2 * ENTRIES; seq++) {
      const output = await verify(lines({ timestamp: 1, data: proofOf(seq) }));
      assert.match(
        output,
        new RegExp(`^entry ${seq} is in .*\nproven; this says nothing about other entries$`),
      );
    }
  });

  it('reads a record in chunks of any length', async () => {
    const chunks = whole.match(/[\s\S]{1,1000}/g)!;
    assert.equal((await verifySeals(chunks)).answer, 'intact');
  });

  it('stops after a thousand problems', () => {
    const page = new Array(5_000).fill(7);
    Object.defineProperty(page, 2_000, { get: () => assert.fail('this was read') });
    const verifier = new SealVerifier();
    assert.equal(verifier.add(page), false);
    assert.equal(verifier.finish().problems.length, 1_000);
  });
});
