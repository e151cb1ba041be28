// Damages payloads one field at a time. Each must parse as before, be rejected or reported, or differ only in a value
// shown as missing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SourceError } from '../src/runtime/errors.ts';
import { DOCUMENTED, type Json, REFUSED, type Reading } from './support/payload-readers.ts';

type Path = (string | number)[];
type Change = (value: Json) => Json;
type Damage = [Path, Change];

const DAMAGES: readonly Change[] = [
  () => undefined,
  () => null,
  (value) => (typeof value === 'string' ? { value } : typeof value === 'boolean' ? 'maybe' : 'x'),
  (value) => (typeof value === 'number' ? [value] : value),
  (value) => (typeof value === 'number' ? String(value) : value),
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  (value) => (typeof value === 'string' ? 'NEW_KIND' : value),
  (value) => (Array.isArray(value) ? [] : value),
  (value) => (typeof value === 'string' ? '' : value),
  (value) => (typeof value === 'number' ? -value - 1 : value),
];

function listPaths(value: Json, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path];
  const inner = Object.keys(value).flatMap((key) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return listPaths(value[key], [...path, step]);
  });
  return path.length === 0 ? inner : [path, ...inner];
}

/** Damages list elements but never removes them, because a shorter list is still valid. */
function damage(payload: Json, path: Path, change: Change): Json {
  const copy = structuredClone(payload);
  const holder = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1)!;
  const changed = change(holder[last]);
  if (changed === undefined && !Array.isArray(holder)) delete holder[last];
  else holder[last] = changed ?? null;
  return copy;
}

/** Skips texts, because a changed text is a different post, not damage. */
function isOtherText(payload: Json, path: Path, change: Change): boolean {
  const before = valueAt(payload, path);
  return path.at(-1) === 'content' && typeof before === 'string' && typeof change(before) === 'string';
}

function valueAt(payload: Json, path: Path): Json {
  return path.reduce((inner, step) => inner?.[step], payload);
}

function readOrRefuse(read: (value: Json) => Reading, value: Json): Reading {
  try {
    return read(value);
  } catch (error) {
    assert.ok(error instanceof SourceError, `throws ${error}`);
    return REFUSED;
  }
}

/** Every way to damage one field that matters. */
function listDamages(payload: Json, mayBeAbsent: RegExp): Damage[] {
  return listPaths(payload)
    .filter((path) => !mayBeAbsent.test(path.join('.')))
    .flatMap((path) => DAMAGES.map((change): Damage => [path, change]))
    .filter(([path, change]) => change(valueAt(payload, path)) !== valueAt(payload, path))
    .filter(([path, change]) => !isOtherText(payload, path, change));
}

function checkDamages(payload: Json, read: (value: Json) => Reading, mayBeAbsent: RegExp): void {
  const whole = read(payload);
  assert.equal(whole.isRefused, false, 'the undamaged payload parses without a report');
  const sound = JSON.stringify(whole.facts);
  const silent: string[] = [];
  for (const [path, change] of listDamages(payload, mayBeAbsent)) {
    const { facts, isRefused } = readOrRefuse(read, damage(payload, path, change));
    if (!isRefused && JSON.stringify(facts) !== sound) silent.push(`${path}: ${JSON.stringify(facts)}`);
  }
  assert.deepEqual(silent, []);
}

describe('a damaged payload', () => {
  for (const [name, payload, read, mayBeAbsent] of DOCUMENTED)
    it(`is parsed correctly or rejected: ${name}`, () => checkDamages(payload, read, mayBeAbsent));
});
