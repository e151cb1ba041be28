// npx tallycast prove-notices: many rules of many keys, receivers that hang, and kill -9, on both engines.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '../test/support/postgres.ts';
import { type Latency, type ProofResult, proveNotices } from './notices/prove.ts';
import { RULES_PER_KEY } from './notices/rules.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000' },
    posts: { type: 'string', default: '200' },
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
    const result = await proveNotices({
      place: { dataDir, ...(database && { databaseUrl: database.url }) },
      ...{ keys, calmPosts: Number(values.posts), postEveryMs: 250, hanging: Number(values.hanging) },
      ...{ kills: Number(values.kills), lifeMs: 700, calmMs: 3_000 },
      onProgress: (text) =>
        process.stderr.write(process.stderr.isTTY ? `\r${engine}: ${text}      ` : `${engine}: ${text}\n`),
    });
    tell(engine, result);
    if (!isProved(result)) process.exitCode = 1;
  } finally {
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
process.exit();

function tell(engine: string, result: ProofResult): void {
  console.log(`${engine}: ${keys * RULES_PER_KEY} rules of ${keys} keys`);
  console.log(`  from a post to the receiver       ${describe(result.calm)}`);
  console.log(`  the same while ${values.hanging} receivers hang  ${describe(result.besideHanging)}`);
  console.log(
    `  killed ${result.kills} times: ${result.owed} notices owed, ${result.missing} missing, ${result.doubled} under two ids, ` +
      `${result.repeated} came again under their id (${result.repeatedByOne} from the same process)`,
  );
}

function describe(latency: Latency | null): string {
  if (latency === null) return 'not measured';
  const { notices, p50Ms, p99Ms, maxMs } = latency;
  return `${notices} notices, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, longest ${maxMs.toFixed(0)} ms`;
}

function isProved({ calm, besideHanging, missing, doubled, repeatedByOne }: ProofResult): boolean {
  const isInTime = [calm, besideHanging].every((one) => (one?.p99Ms ?? 0) < PROMISED_MS);
  return isInTime && missing === 0 && doubled === 0 && repeatedByOne === 0;
}
