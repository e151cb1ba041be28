// Runs the simulator as a separate process: prints its addresses as one JSON line, then runs until stopped.

import { simulatorAccountFor } from '../../../simulator/draw-account.ts';
import { describeFaults, parseFault } from '../../../simulator/faults/fault-registry.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import { createSimulatorClock } from '../../../simulator/simulator-clock.ts';
import { DEFAULT_SIMULATOR_SEED, HISTORY_DAYS } from '../../../simulator/state-file.ts';
import { simulatedAccount } from '../../config/choose-accounts.ts';
import { DAY_MS } from '../../domain/units.ts';
import { UsageError } from '../../runtime/errors.ts';
import { readInstant, readOptions } from '../arguments.ts';
import { type Command, print, untilStopped } from '../command.ts';

export const usage = `usage: npx tallycast simulator [options]

Run the simulator without the service: print its addresses as one line of JSON, then run until stopped.
See docs/simulator.md.

  --seed N                  random seed (${DEFAULT_SIMULATOR_SEED})
  --speed N                 multiple of real time (1)
  --port P                  port to listen on (default: a free one)
  --anchor, --start TS      start of the history, and current time at startup; milliseconds or ISO
  --accounts N              number of accounts (2)
  --fault NAME[=VALUE]      inject a fault (repeatable); --fault help lists them

examples:
  npx tallycast simulator --seed 71 --speed 60 --port 8200 --fault oracle-stall=40h`;

export const run: Command['run'] = async (args, terminal) => {
  const { values } = readOptions(args, {
    seed: { type: 'string', default: String(DEFAULT_SIMULATOR_SEED) },
    speed: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
    anchor: { type: 'string' },
    start: { type: 'string' },
    accounts: { type: 'string', default: '2' },
    fault: { type: 'string', multiple: true, default: [] },
  });
  if (values.fault.includes('help')) {
    print(terminal, describeFaults());
    return undefined;
  }
  const startTs = values.start === undefined ? terminal.clock.now() : readInstant('--start', values.start);
  const clock = createSimulatorClock(startTs, readNumber('--speed', values.speed));
  const simulator = createSimulator({
    seed: readNumber('--seed', values.seed),
    anchorTs:
      values.anchor === undefined
        ? Math.floor(startTs / DAY_MS - HISTORY_DAYS) * DAY_MS
        : readInstant('--anchor', values.anchor),
    clock,
    faults: values.fault.map(parseFault),
    accounts: Array.from({ length: readNumber('--accounts', values.accounts) }, (_, place) =>
      simulatorAccountFor(simulatedAccount(place)),
    ),
  });
  simulator.now();
  const server = await startSimulatorServer(simulator, { port: readNumber('--port', values.port) });
  const { seed, anchorTs, demoWallet, accounts } = simulator;
  const { speed } = clock;
  print(terminal, JSON.stringify({ seed, anchorTs, speed, urls: server.urls, demoWallet, accounts }));
  await untilStopped(terminal.stopSignal());
  await server.close();
  return undefined;
};

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new UsageError(`${name}: "${text}" is not a number`);
  return value;
}
