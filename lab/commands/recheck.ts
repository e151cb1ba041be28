// Recomputes recorded signals and results from their stored inputs and compares them.

import { readOptions } from '../../src/cli/arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../../src/cli/command.ts';
import { withStore } from '../../src/cli/open-configured-store.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { findDifferences, replaySignals } from '../../src/jobs/settling/replay-signals.ts';
import type { Store } from '../../src/store/ports.ts';

export const usage = `usage: npx tallycast lab recheck

Recompute the recorded signals of every settled event from their stored prices, probabilities and paths, and their results
from the settled count. Exits 1 on any difference. Inputs are stored for 90 days; older signals are counted and skipped.
Signals sized by another version of the service may differ. Settings such as --data-dir select the store.

examples:
  npx tallycast lab recheck --data-dir ./data`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  readOptions(config.rest, {});
  const checked = await withStore(config, (store) => recheck(store, config));
  for (const line of checked.differences) note(terminal, line);
  print(
    terminal,
    `${checked.again} signals from ${checked.events} settled events match, ${checked.differences.length} differences, ` +
      `${checked.lost} signals without stored inputs`,
  );
  return checked.differences.length === 0 ? DONE : FAILED;
};

export async function recheck(store: Store, { accounts }: Pick<Config, 'accounts'>) {
  const checked = { events: 0, again: 0, lost: 0, differences: [] as string[] };
  for (const { accountId } of accounts) {
    for (const { eventId } of await store.settlements.list(accountId, 0)) {
      const event = await store.events.find(eventId);
      if (!event) continue;
      const replay = await replaySignals(store, event);
      const lost = new Set(replay.withoutGrounds);
      checked.events += 1;
      checked.lost += replay.recorded.filter(({ asofTs }) => lost.has(asofTs)).length;
      checked.again += replay.replayed.length;
      checked.differences.push(...findDifferences(replay).map((line) => `event ${eventId}, ${line}`));
    }
  }
  return checked;
}
