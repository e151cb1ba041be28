// Works out recorded signals again from what they rested on: is the record what the maths says, and its result too?

import { readOptions } from '../../src/cli/arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../../src/cli/command.ts';
import { withStore } from '../../src/cli/open-configured-store.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { findDifferences, replaySignals } from '../../src/jobs/settling/replay-signals.ts';
import type { Store } from '../../src/store/ports.ts';

export const usage = `usage: npx tallycast lab recheck

Every settled event of the store once more: the signals that were recorded at its horizons, worked out again from the
prices, probabilities and paths that were kept with them, and what came of them from the count it settled on. Exits 1
when anything differs. Grounds are kept for 90 days; what is older is counted and left. A service of another version
sizes otherwise and may differ by right. Settings such as --data-dir name the store.

examples:
  npx tallycast lab recheck --data-dir ./data`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  readOptions(config.rest, {});
  const told = await withStore(config, (store) => recheck(store, config));
  for (const line of told.differences) note(terminal, line);
  print(
    terminal,
    `${told.again} signals of ${told.events} settled events are as recorded, ${told.differences.length} differences, ` +
      `${told.lost} signals without their grounds`,
  );
  return told.differences.length === 0 ? DONE : FAILED;
};

export async function recheck(store: Store, { accounts }: Pick<Config, 'accounts'>) {
  const told = { events: 0, again: 0, lost: 0, differences: [] as string[] };
  for (const { accountId } of accounts) {
    for (const { eventId } of await store.settlements.list(accountId, 0)) {
      const event = await store.events.find(eventId);
      if (!event) continue;
      const replay = await replaySignals(store, event);
      const lost = new Set(replay.withoutGrounds);
      told.events += 1;
      told.lost += replay.recorded.filter(({ asofTs }) => lost.has(asofTs)).length;
      told.again += replay.replayed.length;
      told.differences.push(...findDifferences(replay).map((line) => `event ${eventId}, ${line}`));
    }
  }
  return told;
}
