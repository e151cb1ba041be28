// Simulates a disputed event: the oracle stalls over the close and catches up hours later. Prints the
// dossier's explanation and checks its signature. `npx tallycast lab dossier [--seed 7]`

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOUR_MS } from '../../src/domain/units.ts';
import { isSignedBy, type Signature } from '../../src/runtime/signing.ts';
import { bootService } from '../../test/support/boot.ts';

const SPEED = 1_800;
/** Longer than the time to the next close plus the settlement delay at this speed. */
const GIVE_UP_MS = 300_000;
const READ_EVERY_MS = 5_000;
/** By then the stall is over and every late import has been read. */
const SETTLED_AFTER_MS = 24 * HOUR_MS;

interface Signed {
  dossier: {
    event_title: string;
    end_ts: number;
    compiled_ts: number;
    explanation: string[];
    settlements: unknown[];
  };
  signature: Signature;
}

const { values } = parseArgs({ options: { seed: { type: 'string', default: '7' } } });
const service = await bootService({
  args: ['--simulator-seed', values.seed, '--simulator-speed', String(SPEED), '--fault', 'oracle-stall=40h'],
});
try {
  const events = service.app.board.find('a')!.events.map(({ event }) => event);
  const { eventId } = events.sort((left, right) => left.window.endTs - right.window.endTs)[0]!;
  const { dossier, signature } = await readSettled(eventId);
  console.log(`${dossier.event_title}\n\n${dossier.explanation.join('\n')}\n`);
  const { public_key } = await ask<{ public_key: string }>('/instance-key');
  const isGood = isSignedBy(dossier, signature, public_key);
  console.log(`signature by key ${signature.key_id}: ${isGood ? 'valid' : 'INVALID'}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await service.stop();
}

async function readSettled(eventId: number): Promise<Signed> {
  for (let waitedMs = 0; waitedMs < GIVE_UP_MS; waitedMs += READ_EVERY_MS) {
    await pause(READ_EVERY_MS);
    const signed = await ask<Signed>(`/history/account_a/${eventId}/dossier`);
    const { settlements, compiled_ts, end_ts } = signed.dossier;
    if (settlements.length > 0 && compiled_ts > end_ts + SETTLED_AFTER_MS) return signed;
  }
  throw new Error(`event ${eventId} did not settle within ${GIVE_UP_MS / 1_000} s`);
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${service.url}/api/v1${path}`);
  return ((await response.json()) as { data: T }).data;
}
