// Forged records, hours and proofs: `tallycast verify` and the standalone verifier must find each of them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fetchSeals } from '../../src/cli/commands/verify.ts';
import { runTallycast } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { writeEntry } from '../../src/sealing/entry.ts';
import { hashLeaf, NO_SEAL, sealHour } from '../../src/sealing/seal.ts';
import { writeHour, writeProof, writeSummary } from '../../src/sealing/wire.ts';
import { HOUR_MS, START_TS, sampleDraft } from '../store/samples.ts';
import { serve } from '../support/local-server.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const HOURS = 4;
const ENTRIES = 5;
const HUGE = 40 * 2 ** 20;
const folder = makeTempFolder('forgeries');

// biome-ignore lint/suspicious/noExplicitAny: forgeries have any shape
type Loose = any;
type Change = (text: string, hour: number, entry: number) => string;

/** A service's record; `change` edits entries before they are sealed, as a dishonest operator could. */
function sealRecord(texts: readonly string[][], change: Change = (text) => text) {
  const hours: ReturnType<typeof sealOne>[] = [];
  for (const [h, own] of texts.entries()) {
    const entries = own.map((text, i) => change(text, h, i));
    hours.push(sealOne(h, entries, hours.at(-1)?.chain ?? NO_SEAL));
  }
  return hours;
}

function sealOne(h: number, entries: string[], previous: string) {
  return { ...sealHour(START_TS + h * HOUR_MS, 1 + h * ENTRIES, entries, previous), entries };
}

function writeTexts(): string[][] {
  return Array.from({ length: HOURS }, (_, h) =>
    Array.from({ length: ENTRIES }, (_, i) => {
      const hourTs = START_TS + h * HOUR_MS;
      return writeEntry(sampleDraft({ recordedTs: hourTs, asofTs: hourTs }), 1 + h * ENTRIES + i, hourTs);
    }),
  );
}

const TEXTS = writeTexts();
const RECORD = sealRecord(TEXTS);
const OTHER = sealRecord(writeTexts());
const NEWEST = RECORD.at(-1)!.chain;

const wire = (record: typeof RECORD): Loose[] => record.map((hour) => writeHour(hour));
const lines = (...documents: unknown[]) => documents.map((each) => JSON.stringify(each)).join('\n');
/** The forger writes a new closing line. */
const close = (hours: Loose[]) => lines(...hours, writeSummary(hours.filter((hour) => hour?.chain)));
const proofOf = (seq: number): Loose => writeProof(RECORD[1]!, seq, () => true);
const SEQ = ENTRIES + 2;

/** Seals the second hour's forged entries and returns it with a matching chain hash. */
function reseal(hours: Loose[]): void {
  const entries = hours[1].entries.map(({ entry }: Loose) => entry);
  hours[1] = writeHour(sealOne(1, entries, hours[0].chain));
}
const forge = (text: string) => text.replace('"event":101', '"event":102');
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
  'proof null': () => lines({ ...proofOf(SEQ), proof: null }),
  'proof a number': () => lines({ ...proofOf(SEQ), proof: 5 }),
  'proof with another root': () => withProof((_, seal) => (seal.root = hashLeaf('x'))),
};

/** Consistent on their own; only a chain hash that was saved earlier reveals them. */
const UNKNOWN: Record<string, () => string> = {
  'history rewritten': () => close(wire(sealRecord(TEXTS, forge))),
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
  const alone = await new Promise<{ code: number; output: string }>((resolve) => {
    const script = join(import.meta.dirname, '../../scripts/verify-seals.mjs');
    execFile(process.execPath, [script, file, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
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

describe('downloading the record', () => {
  const answer = (body: object | null) =>
    serve((_, response) => void (body && response.end(JSON.stringify(body))));

  for (const [name, body, problem] of [
    ['a service that lists pages without end', { data: [], next_cursor: 'more' }, /more than 3 pages/],
    ['a service that does not answer', null, /the download stopped after 0 hours/],
  ] as const) {
    it(`gives up on ${name}`, async () => {
      const { url, close } = await answer(body);
      const limits = { maxPages: 3, deadlineMs: 200 };
      const file = join(folder, 'fetched');
      writeFileSync(file, 'an earlier download');
      await assert.rejects(fetchSeals(file, url, undefined, false, limits), problem);
      close();
      assert.deepEqual(
        [readFileSync(file, 'utf8'), existsSync(`${file}.part`)],
        ['an earlier download', false],
      );
    });
  }

  it('says so if nothing is sealed yet, unless a chain is known', async () => {
    const { url, close } = await answer({ data: [], next_cursor: null });
    const fetchWith = (...args: string[]) =>
      runCommand(['verify', join(folder, 'none'), '--fetch', '--url', url, ...args]);
    const { code, out, err } = await fetchWith();
    const text = 'the service has not sealed an hour yet: nothing to verify\n';
    assert.deepEqual({ code, out, err }, { code: 1, out: '', err: text });
    assert.equal(existsSync(join(folder, 'none')), false);
    assert.match((await fetchWith('--known', NEWEST)).out, /do not trust this file/);
    close();
  });
});
