// Forged records, hours and proofs: `tallycast verify` and the standalone verifier must find each of them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runTallycast } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { hashLeaf } from '../../src/sealing/seal.ts';
import { writeHour, writeProof, writeSummary } from '../../src/sealing/wire.ts';
import { HOUR_MS, START_TS } from '../store/samples.ts';
import { makeTempFolder } from '../support/temp-store.ts';
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
  runAlone,
  sealOne,
  sealRecord,
  TEXTS,
  wire,
} from './sealed-record.ts';

const HUGE = 40 * 2 ** 20;
const folder = makeTempFolder('forgeries');

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
  'text removed': (_, entry) => delete entry.entry,
  'text is a number': (_, entry) => (entry.entry = 5),
  'text is an object': (_, entry) => (entry.entry = {}),
  'leaf changed': (_, entry) => (entry.leaf = hashLeaf('x')),
  'leaf in upper case': (_, entry) => (entry.leaf = entry.leaf.toUpperCase()),
  'leaf in a list': (_, entry) => (entry.leaf = [entry.leaf]),
  'leaf null': (_, entry) => (entry.leaf = null),
  'text withheld and leaf changed': (_, entry) => Object.assign(entry, { entry: null, leaf: hashLeaf('x') }),
  'hour resealed alone': (_, entry, hours) => {
    rewrite(entry, false);
    reseal(hours);
  },
  'entry removed': (hour) => hour.entries.splice(2, 1),
  'entry removed, size lowered': (hour) => (hour.size = hour.entries.splice(2, 4).length),
  'entry added': (hour) => hour.entries.push({ leaf: hashLeaf('x'), entry: null }),
  'entry duplicated': (hour, entry) => hour.entries.splice(2, 0, entry),
  'last entry duplicated': (hour) => hour.entries.push(hour.entries.at(-1)),
  'entries reordered': (hour) => hour.entries.reverse(),
  'entry moved to another hour': (hour, _, hours) => hours[2].entries.push(hour.entries.pop()),
  'entries of two hours exchanged': (hour, _, hours) =>
    ([hour.entries, hours[2].entries] = [hours[2].entries, hour.entries]),
  'entry null': (hour) => (hour.entries[2] = null),
  'entries absent': (hour) => delete hour.entries,
  'entries null': (hour) => (hour.entries = null),
  'entries empty': (hour) => (hour.entries = []),
  'entries an object': (hour) => (hour.entries = { length: ENTRIES }),
  'entries a text': (hour) => (hour.entries = 'abcde'),
  'entries replaced by a proof': (_, __, hours) => (hours[1] = proofOf(SEQ)),
  'all entries rewritten beside a proof': (hour) => {
    hour.proof = proofOf(SEQ).proof;
    for (const entry of hour.entries) rewrite(entry, false);
  },
  'all entries and leaves rewritten beside a proof': (hour) => {
    hour.proof = proofOf(SEQ).proof;
    for (const entry of hour.entries) rewrite(entry, true);
  },
  'false proof beside genuine entries': (hour) =>
    (hour.proof = { ...proofOf(SEQ).proof, path: proofOf(SEQ + 1).proof.path }),
  'hour moved': (hour) => (hour.hour_ts += HOUR_MS),
  'hour not a full hour': (hour) => (hour.hour_ts += 1),
  'hour out of range': (hour) => (hour.hour_ts = 1e300),
  'hour an object that cannot be a text': (hour) => (hour.hour_ts = { toString: 1, valueOf: 1 }),
  'hour a date in a list': (hour) => (hour.hour_ts = [hour.hour_ts]),
  'proof of the record beside its entries': (hour) => (hour.proof = proofOf(SEQ).proof),
  'proof between hours': (_, __, hours) => hours.splice(1, 0, proofOf(SEQ)),
  'hour as text': (hour) => (hour.hour_ts = new Date(hour.hour_ts).toISOString()),
  'number changed': (hour) => (hour.first_seq += 1),
  'number as text': (hour) => (hour.first_seq = String(hour.first_seq)),
  'size raised': (hour) => (hour.size += 1),
  'root changed': (hour) => (hour.root = hashLeaf('x')),
  'link changed': (hour) => (hour.previous = hashLeaf('x')),
  'chain changed': (hour) => (hour.chain = hashLeaf('x')),
  'chain of another hour': (hour, _, hours) => (hour.chain = hours[0].chain),
  'first hour missing': (_, __, hours) => hours.shift(),
  'hour missing': (_, __, hours) => hours.splice(1, 1),
  'hours reordered': (_, __, hours) => hours.reverse(),
  'hour duplicated': (hour, _, hours) => hours.splice(1, 0, hour),
  'hour of another service': (_, __, hours) => (hours[1] = wire(OTHER)[1]),
  'null between hours': (_, __, hours) => hours.splice(1, 0, null),
  'number between hours': (_, __, hours) => hours.splice(1, 0, 5),
  'text between hours': (_, __, hours) => hours.splice(1, 0, 'intact'),
  'list of numbers between hours': (_, __, hours) => hours.splice(1, 0, [[5]]),
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
  'only numbers': () => '1\n2\n3',
  'a million numbers': () => '7\n'.repeat(1_000_000),
  'only null': () => 'null',
  'not JSON': () => '\u0000\u001b[2Jintact: 4 hours',
  'truncated in an hour': () => cutAt(whole, 0.6),
  'truncated in the closing line': () => whole.slice(0, -20),
  'last hour missing': () => lines(...wire(RECORD.slice(0, -1)), writeSummary(RECORD)),
  'closing line missing': () => lines(...wire(RECORD)),
  'closing line twice': () => `${whole}\n${lines(writeSummary(RECORD))}`,
  'closing line false': () => lines(...wire(RECORD), { summary: true }),
  'only the closing line': () => lines(writeSummary(RECORD)),
  'hours after the closing line': () => `${whole}\n${lines(wire(OTHER)[0])}`,
  'list of seals without entries': () => lines({ data: wire(RECORD).map(({ entries: _, ...seal }) => seal) }),
  'huge line': () => `${whole}\n${'x'.repeat(HUGE)}`,
  'hours behind a huge blank': () => `${whole}${' '.repeat(HUGE)}${lines(wire(OTHER)[0])}`,
  'deeply nested': () => `${'['.repeat(100_000)}${']'.repeat(100_000)}\n${whole}`,
  'deeply nested hour': () => `{"hour_ts":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n${whole}`,
  'deeply nested closing line': () =>
    `${lines(...wire(RECORD))}\n{"summary":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a list of a million numbers': () => `[${'7,'.repeat(999_999)}7]`,
  'proof beside the closing line': () => lines(proofOf(SEQ), writeSummary([])),
  'replacement character exchanged for half a character': () => {
    const hours = wire(sealRecord(TEXTS, (text) => text.replace('"<40"', '"\ufffd"')));
    const [entry] = hours[1].entries;
    entry.entry = entry.entry.replace('\ufffd', '\ud83d');
    return close(hours);
  },
  'entry of another time sealed as forward': () =>
    sealed((text) => text.replace(/"asof_ts":\d+/, `"asof_ts":${START_TS - HOUR_MS}`)),
  'entry with a false number sealed': () => sealed((text) => text.replace(/"seq":\d+/, '"seq":99')),
  'entry without a mark sealed': () => sealed((text) => text.replace(/"made":"\w+"/, '"made":null')),
  'entry that is not JSON sealed': () => sealed(() => 'not JSON'),
  'entry null sealed': () => sealed(() => 'null'),
  'terminal codes sealed': () => sealed((text) => text.replace('"forward"', '"\\u001b[2Jintact"')),
  'proof of another entry': () => withProof((proof) => (proof.path = proofOf(SEQ + 1).proof.path)),
  'proof with another text': () => withProof((proof) => rewrite(proof, false)),
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
  'proof with terminal codes as its number': () =>
    withProof((proof) => Object.assign(proof, { seq: `\r\n\n${SEQ}\r`, entry: null })),
  'proof with its number in lists': () =>
    withProof((proof) => Object.assign(proof, { seq: [[String(SEQ)]], entry: null })),
  'proof null': () => lines({ ...proofOf(SEQ), proof: null }),
  'proof a number': () => lines({ ...proofOf(SEQ), proof: 5 }),
  'proof with another root': () => withProof((_, seal) => (seal.root = hashLeaf('x'))),
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

const forgeries: [string, () => string, string[]][] = [
  ...Object.entries(IN_PLACE).map(([name, change]): [string, () => string, string[]] => {
    const make = () => {
      const hours = wire(RECORD);
      change(hours[1], hours[1].entries[2], hours);
      return close(hours);
    };
    return [name, make, []];
  }),
  ...Object.entries(FILES).map(([name, make]): [string, () => string, string[]] => [name, make, []]),
  ...Object.entries(UNKNOWN).map(([name, make]): [string, () => string, string[]] => [
    name,
    make,
    ['--known', NEWEST],
  ]),
];

let files = 0;
/** Both verifiers' exit codes and output; the two must agree. */
async function verify(text: string, args: readonly string[] = []): Promise<{ code: number; output: string }> {
  const file = join(folder, `${files++}.jsonl`);
  writeFileSync(file, text);
  let [output, notes] = ['', ''];
  const code = await runTallycast(['verify', file, ...args], {
    env: {},
    clock: systemClock,
    output: { write: (part: string) => (output += part) },
    notes: { write: (part: string) => (notes += part) },
    stopSignal: () => new AbortController().signal,
  });
  const alone = await runAlone([file, ...args]);
  assert.deepEqual({ code, output: output + notes }, alone);
  return alone;
}

describe('both verifiers', { concurrency: 2 }, () => {
  for (const [name, make, args] of forgeries) {
    it(`find: ${name}`, async () => {
      const { code, output } = await verify(make(), args);
      assert.equal(code, 1, output);
      assert.match(output, /\nnot intact: \d+ problems?; do not trust this file\n$/);
      assert.doesNotMatch(output, /^(intact|complete|proven)|[^ -~\n…]/m);
    });
  }

  it('call a record intact, and count and name what is withheld', async () => {
    const all = await verify(whole, ['--known', NEWEST]);
    assert.deepEqual(all, {
      code: 0,
      output: 'intact: the record, 4 hours, 20 entries checked, 0 withheld\n',
    });
    const hours = wire(RECORD);
    for (const i of [0, 1, 3]) hours[1].entries[i].entry = null;
    const some = 'intact: the record, 4 hours, 17 entries checked, 3 withheld\n';
    const { output } = await verify(close(hours));
    assert.equal(
      output,
      `${some}withheld in ${new Date(hours[1].hour_ts).toISOString().slice(0, 13)}: 6-7, 9\n`,
    );
  });

  it('do not call an hour or a proof intact', async () => {
    const hour = await verify(lines(wire(RECORD)[1]));
    assert.deepEqual(hour, {
      code: 0,
      output: 'complete: part of the record, 1 hour, 5 entries checked, 0 withheld\n',
    });
    for (let seq = ENTRIES + 1; seq <= 2 * ENTRIES; seq++) {
      const { code, output } = await verify(lines({ timestamp: 1, data: proofOf(seq) }));
      assert.equal(code, 0);
      assert.match(
        output,
        new RegExp(`^entry ${seq} is in .*\nproven; this says nothing about other entries\n$`),
      );
    }
  });
});
