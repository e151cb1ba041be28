// Mutates real inputs by putting hostile values anywhere in a JSON value and by corrupting text.

import type { Random } from '../../src/runtime/random.ts';

/** Cloned to ensure valid JSON, and frozen because inputs share them. */
const HOSTILE_VALUES: readonly unknown[] = freeze(
  structuredClone<unknown[]>([
    ...[null, true, -1, 0, -0, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 53 + 2, 0.1 + 0.2],
    ...`~ ~NaN~Infinity~-0~1e999~0x10~９９~\u0000~\ud800`.split('~'),
    ...`\u202e<script>~2026-13-45T99:99:99Z~+275761-01-01T00:00:00Z~__proto__~constructor~[[[[[[`.split('~'),
    '9'.repeat(400),
    'a'.repeat(70_000),
    [],
    {},
    [[[[[[[[[[]]]]]]]]]],
    { length: -1 },
    { toString: null },
    { __proto__: null, valueOf: 1 },
  ]),
);

const PIECES = `\u0000~\r\n~"~\\~{~]~,~%00~%~-~–~+~<~999999999999~\ud83d~T~:~%c0%ae~٣~  `.split('~');

/** Freezes the value, so that a parser that modifies it fails. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const field of Object.values(value)) freeze(field);
  return value;
}

/** Shares unchanged parts with the sample, because copying it took longer than most parsers. */
export function mutateJson(value: unknown, random: Random): unknown {
  let changed = value;
  const times = 1 + Math.floor(random.uniform() * 4);
  for (let i = 0; i < times; i++) changed = mutateOnce(changed, random);
  return changed;
}

/** Walks to a random place and changes it. */
function mutateOnce(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.uniform() < 0.08) return replace(value, random);
  const keys = Object.keys(value);
  if (keys.length === 0) return replace(value, random);
  const key = pick(keys, random);
  const holder = (Array.isArray(value) ? value.slice() : { ...value }) as Record<string, unknown>;
  const choice = random.uniform();
  if (choice < 0.75) setOwn(holder, key, mutateOnce(holder[key], random));
  else if (choice < 0.85) remove(holder, key);
  else if (choice < 0.93)
    setOwn(
      holder,
      pick(['__proto__', 'constructor', 'length', key.toUpperCase()], random),
      pick(HOSTILE_VALUES, random),
    );
  else if (Array.isArray(holder)) holder.push(...holder.slice(0, 3));
  return holder;
}

/** Leaves no holes in arrays, because JSON has none. */
function remove(holder: Record<string, unknown>, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function setOwn(holder: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(holder) && !/^\d+$/.test(key)) return;
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function replace(value: unknown, random: Random): unknown {
  if (typeof value === 'string' && random.uniform() < 0.5) return mutateText(value, random);
  return pick(HOSTILE_VALUES, random);
}

export function mutateText(text: string, random: Random): string {
  let changed = text;
  const times = 1 + Math.floor(random.uniform() * 4);
  for (let i = 0; i < times; i++) {
    const at = Math.floor(random.uniform() * (changed.length + 1));
    const length = Math.floor(random.uniform() * 8);
    const choice = random.uniform();
    if (choice < 0.35) changed = changed.slice(0, at) + pick(PIECES, random) + changed.slice(at);
    else if (choice < 0.6) changed = changed.slice(0, at) + changed.slice(at + length);
    else if (choice < 0.75)
      changed = changed.slice(0, at) + changed.slice(at, at + length).repeat(2) + changed.slice(at);
    else if (choice < 0.95) {
      const code = String.fromCharCode(
        Math.floor(random.uniform() * (random.uniform() < 0.7 ? 128 : 65_536)),
      );
      changed = changed.slice(0, at) + code + changed.slice(at + 1);
    } else changed = pick(PIECES, random).repeat(Math.floor(random.uniform() * 3_000)) + changed;
  }
  return changed;
}

export function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random.uniform() * values.length)]!;
}
