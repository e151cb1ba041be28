// The log of a storm: every call to the store and to the simulator with its time and outcome, and every violation.
// Equal seeds must give equal logs; where two differ, the first different line shows what depended on real time.

import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from '../../src/runtime/random.ts';

export interface StormLog {
  write(line: string): void;
  /** SHA-256 of all lines so far. */
  digest(): string;
}

export function createStormLog(now: () => number, onLine: (line: string) => void = () => {}): StormLog {
  const hash = createHash('sha256');
  return {
    write(text) {
      const line = `${now()} ${text}\n`;
      hash.update(line);
      onLine(line);
    },
    digest: () => hash.copy().digest('hex'),
  };
}

/** A short name for values too long to log. */
export function nameValue(value: unknown): string {
  const text = hideEpochs(writeJson(value) ?? '');
  return text.length <= 80 ? text : createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** PostgreSQL takes epochs from its clock, so they differ from run to run. */
export function hideEpochs(text: string): string {
  return text.replaceAll(/\b1\d{15}\b/g, 'epoch');
}

/** A replacer for every value would make the log the largest cost of a storm; few calls have a bigint. */
function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));
  }
}

/** Draws ids, keys and salts from the seed for as long as the run lasts; returns a function that ends this. */
export function seedCrypto(random: Random): () => void {
  const { randomBytes, randomUUID } = crypto;
  const web = globalThis.crypto as { getRandomValues: unknown };
  const fill = (bytes: Uint8Array) => void bytes.set(bytes.map(() => random.uint32() & 255));
  const draw = (size: number) => {
    const bytes = Buffer.alloc(size);
    fill(bytes);
    return bytes;
  };
  const uuid = () =>
    draw(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  Object.assign(crypto, { randomBytes: draw, randomUUID: uuid });
  web.getRandomValues = (array: Uint32Array) => {
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { randomBytes, randomUUID });
    delete web.getRandomValues;
    syncBuiltinESMExports();
  };
}
