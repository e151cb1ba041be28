// Checks every configured source once.

import { checkPayments } from '../../app/check-payments.ts';
import { openSimulator } from '../../app/open-simulator.ts';
import { openSources } from '../../app/open-sources.ts';
import { nameAccountField } from '../../config/choose-accounts.ts';
import { loadConfig } from '../../config/config.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createRandom, randomSeed } from '../../runtime/random.ts';
import { checkSources, type DoctorOptions } from '../../sources/doctor.ts';
import { readOptions } from '../arguments.ts';
import { type Command, DONE, FAILED, note, print } from '../command.ts';
import { describeFindings } from '../describe-findings.ts';

export const usage = `usage: npx tallycast doctor [--json] [settings]

Check every configured source once and report, per account and capability, what works, what is degraded and why, the
monthly cost and what to set. Exits 0 when everything configured works, degraded or not. Without live settings it checks
the simulator.

examples:
  npx tallycast doctor
  npx tallycast doctor --json | jq '.[] | select(.verdict != "ok")'`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env);
  const isJson = readOptions(config.rest, { json: { type: 'boolean' } }).values.json ?? false;
  const simulator = config.sources === 'simulator' ? await openSimulator(config, silentLogger) : null;
  try {
    const clock = simulator?.clock ?? terminal.clock;
    const sources = openSources({ config, simulator, clock, random: createRandom(randomSeed()) });
    if (!isJson) note(terminal, `checking the ${simulator ? 'simulator' : 'live sources'} ...`);
    const nameField: DoctorOptions['nameField'] = ({ accountId }, field) =>
      nameAccountField(
        config,
        config.accounts.findIndex((account) => account.accountId === accountId),
        field,
      );
    const findings = [
      ...(await checkSources(sources, { clock, nameField, usesPush: config.xPush })),
      await checkPayments(config),
    ];
    print(terminal, isJson ? JSON.stringify(findings, null, 2) : describeFindings(findings));
    return findings.some(({ verdict }) => verdict === 'problem') ? FAILED : DONE;
  } finally {
    await simulator?.close();
  }
};
