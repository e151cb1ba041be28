// Runs the source adapters on a recording; each recorded response and connection is used once.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSources } from '../../app/open-sources.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { createManualClock, type ManualClock, systemClock } from '../../runtime/clock.ts';
import { UsageError } from '../../runtime/errors.ts';
import { createRandom } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { SHOWS_NO_POST } from '../../sources/doctor/check-posts.ts';
import { checkSources, type Finding } from '../../sources/doctor.ts';
import { createRedact } from '../../sources/recording/redact.ts';
import { createReplayNetwork, NOT_ON_TAPE } from '../../sources/recording/replay-network.ts';
import { describeRefusals, type TapeEntry } from '../../sources/recording/tape.ts';
import { readWordsAndOptions, required } from '../arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../command.ts';
import { describeFindings } from '../describe-findings.ts';

export const usage = `usage: npx tallycast replay DIR [--json]

Run the source adapters on a recording made by 'npx tallycast lab record' and report what they parsed. Needs no network
and no settings. Exits 1 if an adapter cannot parse a response.

example:
  npx tallycast replay first-day`;

const MAX_ROUNDS = 10_000;
const STEP_MS = 5;
const STEP_OF_TAPE_MS = 250;

export const run: Command['run'] = async (args, terminal) => {
  const { values, positionals } = readWordsAndOptions(args, 1, { json: { type: 'boolean' } });
  const { config: recorded, entries, startedTs } = readRecording(required(positionals[0], 'DIR'));
  // Recordings made by older versions lack newer settings.
  const config = { ...loadConfig([], {}, 'store'), ...recorded };
  const network = createReplayNetwork(entries, createRedact([], ''));
  const clock = createManualClock(startedTs);
  const sources = openSources({ config, simulator: null, clock, random: createRandom(1), network });
  const findings = new Map<string, Finding>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = network.countLeft();
    const found = await passTime(clock, () => checkSources(sources, { clock }));
    for (const finding of found) keep(findings, finding);
    if (network.countLeft() === before) break;
  }
  const kept = [...findings.values()];
  if (!values.json) {
    const used = entries.length - network.countLeft();
    note(terminal, `${used} of ${entries.length} responses and connections replayed`);
  }
  print(terminal, values.json ? JSON.stringify(kept, null, 2) : describeFindings(kept));
  const refusals = describeRefusals(entries);
  if (!values.json && refusals !== null) print(terminal, refusals);
  return kept.some(({ verdict }) => verdict === 'problem') ? FAILED : DONE;
};

/** Recorded responses arrive at once but adapters pause and time out, so their clock runs fast. */
async function passTime<T>(clock: ManualClock, work: () => Promise<T>): Promise<T> {
  const passing = createRepeat({
    clock: systemClock,
    pauseMs: STEP_MS,
    run: () => clock.advance(STEP_OF_TAPE_MS),
  });
  void passing.start();
  try {
    return await work();
  } finally {
    await passing.stop();
  }
}

/**
 * Returns the first finding per subject, or a later one with a problem: later responses belong to other
 * requests (newer posts). A missing response proves nothing about the platform.
 */
function keep(findings: Map<string, Finding>, finding: Finding): void {
  if (finding.message.includes(NOT_ON_TAPE)) return;
  if (finding.isUnreadable) {
    keepUnreadable(findings, finding);
    return;
  }
  const known = findings.get(finding.subject);
  // A request for new posts may be empty while the account sleeps, so it cannot serve as the check.
  const isSilence = known !== undefined && finding.message.includes(SHOWS_NO_POST);
  if (!known || (finding.verdict === 'problem' && known.verdict !== 'problem' && !isSilence))
    findings.set(finding.subject, finding);
}

/** A recording has no fallback source, so an unreadable response means a lost capability. */
function keepUnreadable(findings: Map<string, Finding>, finding: Finding): void {
  const key = `${finding.subject} unreadable`;
  if (findings.has(key)) return;
  const message = `${finding.message} (lost: ${finding.subject})`;
  findings.set(key, { ...finding, verdict: 'problem', message });
}

interface Recording {
  /** Start time. */
  startedTs: number;
  /** The service's settings, without secrets. */
  config: Config;
  entries: readonly TapeEntry[];
}

const ABOUT = 'recording.json';
const TAPE = 'tape.jsonl';
/** Recordings are readable only by their owner until they choose to share them. */
const OWN_FILE = { mode: 0o600 };

/**
 * Returns a function that appends an entry. The folder must be new or empty, so that recordings do not mix.
 */
export function beginRecording(
  folder: string,
  about: Omit<Recording, 'entries'>,
): (entry: TapeEntry) => void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, ABOUT), `${JSON.stringify(about, null, 2)}\n`, OWN_FILE);
  writeFileSync(join(folder, TAPE), '', OWN_FILE);
  return (entry) => appendFileSync(join(folder, TAPE), `${JSON.stringify(entry)}\n`);
}

function readRecording(folder: string): Recording {
  const [about, tape] = [join(folder, ABOUT), join(folder, TAPE)];
  if (!existsSync(about) || !existsSync(tape)) throw new UsageError(`${folder} has no recording`);
  try {
    const lines = readFileSync(tape, 'utf8').split('\n').filter(Boolean);
    const entries = lines.map((line) => JSON.parse(line) as TapeEntry);
    return { ...(JSON.parse(readFileSync(about, 'utf8')) as Omit<Recording, 'entries'>), entries };
  } catch {
    throw new UsageError(`the recording in ${folder} is unreadable`);
  }
}
