// Checks every configured source once.

import { checkConfiguration } from '../../app/check-configuration.ts';
import { openSimulator } from '../../app/open-simulator.ts';
import { openSources, REAL_NETWORK } from '../../app/open-sources.ts';
import { loadConfig } from '../../config/config.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createRandom, randomSeed } from '../../runtime/random.ts';
import { describeCosts } from '../../sources/post-costs.ts';
import { readNumberWithin, readOptions } from '../arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../command.ts';
import { describeFindings } from '../describe-findings.ts';

export const usage = `usage: npx tallycast doctor [--live [--listen SECONDS]] [--json] [settings]

Check every configured source once. For each account and capability, report what works, what is degraded and why, what it
costs per month and which settings to change. Exits 1 if a check failed. Without live settings, check the simulator.

  --live            also listen to each price stream
  --listen SECONDS  with --live: for how long (10, at most 15)

examples:
  npx tallycast doctor
  npx tallycast doctor --live
  npx tallycast doctor --json | jq '.[] | select(.verdict != "ok")'`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env);
  const { values } = readOptions(config.rest, {
    json: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    listen: { type: 'string', default: '10' },
  });
  const listenMs = values.live ? readNumberWithin('--listen', values.listen, 0, 15) * SECOND_MS : 0;
  const simulator = config.sources === 'simulator' ? await openSimulator(config, silentLogger) : null;
  try {
    const clock = simulator?.clock ?? terminal.clock;
    const random = createRandom(randomSeed());
    const sources = openSources({ config, simulator, clock, random, network: REAL_NETWORK });
    if (!values.json) note(terminal, `checking the ${simulator ? 'simulator' : 'live sources'} ...`);
    // Costs come first: the checks themselves make paid calls.
    if (!values.json && !simulator)
      for (const line of sources.accounts.flatMap(describeCosts)) note(terminal, line);
    const findings = await checkConfiguration(config, sources, { clock, listenMs });
    print(terminal, values.json ? JSON.stringify(findings, null, 2) : describeFindings(findings));
    return findings.some(({ verdict }) => verdict === 'problem') ? FAILED : DONE;
  } finally {
    await simulator?.close();
  }
};
