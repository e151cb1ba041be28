// npx tallycast lab alerts: tests thousands of rules on both engines, with hanging receivers and kill -9.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '../../test/support/postgres.ts';
import { comparePhases, type Delay, type Latency, MEASURABLE_BELOW } from './alerts/beside-hanging.ts';
import { checkAlerts, type ProofResult } from './alerts/check-alerts.ts';
import { RULES_PER_KEY } from './alerts/rules.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '6' },
    posts: { type: 'string', default: '100' },
    kills: { type: 'string', default: '50' },
    hanging: { type: 'string', default: '5' },
    engine: { type: 'string' },
  },
});
const PROMISED_MS = 2_000;
const keys = Number(values.keys);

for (const engine of ['sqlite', 'postgres'] as const) {
  if (values.engine !== undefined && values.engine !== engine) continue;
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-notices-'));
  const database = engine === 'postgres' ? await createDatabase() : null;
  try {
    const result = await checkAlerts({
      place: { dataDir, ...(database && { databaseUrl: database.url }) },
      ...{ keys, rounds: Number(values.rounds), stretchPosts: Number(values.posts), postEveryMs: 250 },
      hanging: Number(values.hanging),
      ...{ kills: Number(values.kills), lifeMs: 700, calmMs: 3_000 },
      onProgress: (text) =>
        process.stderr.write(process.stderr.isTTY ? `\r${engine}: ${text}      ` : `${engine}: ${text}\n`),
    });
    report(engine, result);
    if (!isProved(result)) process.exitCode = 1;
  } finally {
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
process.exit();

function report(engine: string, { pairs, ...result }: ProofResult): void {
  console.log(`${engine}: ${keys * RULES_PER_KEY} rules across ${keys} keys; latency from post to receiver`);
  for (const [i, { alone, besideHanging }] of pairs.entries()) {
    const beside = `with ${values.hanging} hanging receivers: ${describe(besideHanging)}`;
    console.log(`  pair ${i + 1}: ${describe(alone)}; ${beside}`);
  }
  if (pairs.length > 0) {
    const { p50, p99 } = delaysOf(pairs);
    console.log(`  extra delay with hanging receivers: p50 ${describeDelay(p50)}; p99 ${describeDelay(p99)}`);
  }
  console.log(
    `  killed ${result.kills} times: ${result.pending} alerts expected, ${result.missing} missing, ${result.doubled} sent under two ids, ` +
      `${result.repeated} resent under the same id (${result.repeatedByOne} by the same process)`,
  );
}

function delaysOf(pairs: ProofResult['pairs']): { p50: Delay; p99: Delay } {
  return {
    p50: comparePhases(pairs, ({ p50Ms }) => p50Ms),
    p99: comparePhases(pairs, ({ p99Ms }) => p99Ms),
  };
}

function describe({ alerts, p50Ms, p99Ms, maxMs }: Latency): string {
  return `${alerts} alerts, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, max ${maxMs.toFixed(0)} ms`;
}

function describeDelay({ medianMs, leastMs, mostMs, chance }: Delay): string {
  const range = `${leastMs.toFixed(0)} to ${mostMs.toFixed(0)} ms, median ${medianMs.toFixed(0)} ms`;
  const verdict = chance < MEASURABLE_BELOW ? 'the delay is significant' : 'no measurable delay';
  return `${range}, p = ${chance.toFixed(2)}: ${verdict}`;
}

function isProved({ pairs, missing, doubled, repeatedByOne }: ProofResult): boolean {
  const isInTime = pairs.every(({ alone, besideHanging }) =>
    [alone, besideHanging].every(({ p99Ms }) => p99Ms < PROMISED_MS),
  );
  const isDelayed =
    pairs.length > 0 && Object.values(delaysOf(pairs)).some(({ chance }) => chance < MEASURABLE_BELOW);
  return isInTime && !isDelayed && missing === 0 && doubled === 0 && repeatedByOne === 0;
}
