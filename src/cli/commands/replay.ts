// Runs the adapters on a recording: every answer and connection once, as far as anything is left to ask for.

import { openSources } from '../../app/open-sources.ts';
import { loadConfig } from '../../config/config.ts';
import { createManualClock, type ManualClock, systemClock } from '../../runtime/clock.ts';
import { createRandom } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { SHOWS_NO_POST } from '../../sources/doctor/check-posts.ts';
import { checkSources, type Finding } from '../../sources/doctor.ts';
import { createRedact } from '../../sources/recording/redact.ts';
import { createReplayNetwork, NOT_ON_TAPE } from '../../sources/recording/replay-network.ts';
import { readWordsAndOptions, required } from '../arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../command.ts';
import { describeFindings } from '../describe-findings.ts';
import { readRecording } from '../recording-files.ts';

export const usage = `usage: npx tallycast replay DIR [--json]

Runs the adapters on a recording of 'npx tallycast lab record', round after round until nothing more on it is asked for,
and says what they made of it. Needs no network and no settings. Exits 1 when an adapter could not use what was said.

example:
  npx tallycast replay first-day`;

const MAX_ROUNDS = 10_000;
const STEP_MS = 5;
const STEP_OF_TAPE_MS = 250;

export const run: Command['run'] = async (args, terminal) => {
  const { values, positionals } = readWordsAndOptions(args, 1, { json: { type: 'boolean' } });
  const { config: recorded, entries, startedTs } = readRecording(required(positionals[0], 'DIR'));
  // A recording of an older version lacks the settings that came since.
  const config = { ...loadConfig([], {}), ...recorded };
  const network = createReplayNetwork(entries, createRedact([], ''));
  const clock = createManualClock(startedTs);
  const sources = openSources({ config, simulator: null, clock, random: createRandom(1), network });
  const findings = new Map<string, Finding>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = network.countLeft();
    const told = await passTime(clock, () => checkSources(sources, { clock }));
    for (const finding of told) keepTelling(findings, finding);
    if (network.countLeft() === before) break;
  }
  const told = [...findings.values()];
  const used = entries.length - network.countLeft();
  if (!values.json)
    note(terminal, `${used} of ${entries.length} answers and connections were asked for again`);
  print(terminal, values.json ? JSON.stringify(told, null, 2) : describeFindings(told));
  return told.some(({ verdict }) => verdict === 'problem') ? FAILED : DONE;
};

/** Nothing on a tape takes time, but adapters pause between calls and give up on silence: their clock runs ahead. */
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
 * What the first round says of a subject, unless a later one has a problem with it: later answers were given to other
 * questions (what is new since then). What the tape no longer holds says nothing of the platforms.
 */
function keepTelling(findings: Map<string, Finding>, finding: Finding): void {
  if (finding.message.includes(NOT_ON_TAPE)) return;
  const known = findings.get(finding.subject);
  // Asked what is new, an account that sleeps has none; that is no answer to what the doctor asks.
  const isSilence = known !== undefined && finding.message.includes(SHOWS_NO_POST);
  if (!known || (finding.verdict === 'problem' && known.verdict !== 'problem' && !isSilence))
    findings.set(finding.subject, finding);
}
