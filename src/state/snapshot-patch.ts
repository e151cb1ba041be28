// What changed between two versions of a snapshot, as plain JSON. Parts that did not change keep their identity
// when a change is applied, so that a replica's caches built on them stay valid. Pure.

import type { AccountSnapshot } from './snapshot.ts';

export type Patch =
  | { set: unknown }
  /** By key; null removes the key. */
  | { keys: Readonly<Record<string, Patch | null>> }
  | { list: readonly ListPart[] };

/** Elements of the earlier list that stay (first index and how many), one that changes, or a new one. */
type ListPart = readonly [from: number, count: number] | { at: number; patch: Patch } | { set: unknown };

export interface SnapshotChange {
  version: number;
  /** The version that this change applies to. */
  previous: number;
  /** A patch, as JSON. */
  body: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** undefined if nothing changed. */
export function findPatch(previous: unknown, next: unknown): Patch | undefined {
  if (previous === next) return undefined;
  if (Array.isArray(previous) && Array.isArray(next)) return compareLists(previous, next);
  if (isFields(previous) && isFields(next)) return compareFields(previous, next);
  return { set: next };
}

export function applyPatch(previous: unknown, patch: Patch): unknown {
  if ('set' in patch) return patch.set;
  if ('list' in patch) return patch.list.flatMap((part) => applyPart(previous as unknown[], part));
  const before = previous as Fields;
  const changed = Object.entries(patch.keys).flatMap(([key, part]) =>
    part === null ? [] : [[key, applyPatch(Object.hasOwn(before, key) ? before[key] : undefined, part)]],
  );
  const kept = Object.entries(before).filter(([key]) => patch.keys[key] !== null);
  return Object.fromEntries([...kept, ...changed]);
}

/** Applies what follows on this version, in order; stops at a gap. */
export function applyChanges(snapshot: AccountSnapshot, changes: readonly SnapshotChange[]): AccountSnapshot {
  let current = snapshot;
  for (const { previous, version, body } of changes) {
    if (version <= current.version) continue;
    if (previous !== current.version) break;
    current = applyPatch(current, JSON.parse(body) as Patch) as AccountSnapshot;
  }
  return current;
}

/** The next version, with the identity of everything that did not change. */
export function keepUnchanged<T>(previous: T | undefined, next: T): T {
  const patch = findPatch(previous, next);
  return patch ? (applyPatch(previous, patch) as T) : (previous as T);
}

/** Lists of pairs would be garbage several times a second for each account, so fields are read by key. */
function compareFields(previous: Fields, next: Fields): Patch | undefined {
  const keys: [string, Patch | null][] = [];
  let kept = 0;
  for (const key of Object.keys(next)) {
    const value = next[key];
    if (value === undefined) continue;
    const before = Object.hasOwn(previous, key) ? previous[key] : undefined;
    if (before !== undefined) kept += 1;
    if (before === value) continue;
    const patch = before === undefined ? { set: value } : findPatch(before, value);
    if (patch) keys.push([key, patch]);
  }
  const known = Object.keys(previous);
  if (known.length > kept) {
    for (const key of known)
      if (previous[key] !== undefined && (!Object.hasOwn(next, key) || next[key] === undefined))
        keys.push([key, null]);
  }
  return keys.length === 0 ? undefined : { keys: Object.fromEntries(keys) };
}

function compareLists(previous: readonly unknown[], next: readonly unknown[]): Patch | undefined {
  if (isSameList(previous, next)) return undefined;
  if (!next.some(isObject)) return { set: next };
  const places = new Map(previous.map((element, index) => [element, index]));
  const parts: ListPart[] = [];
  for (const [index, element] of next.entries()) {
    const part = comparePlaces(previous, places, element, next.length === previous.length ? index : -1);
    const last = parts.at(-1);
    if (Array.isArray(part) && Array.isArray(last) && last[0] + last[1] === part[0])
      parts[parts.length - 1] = [last[0], last[1] + 1];
    else parts.push(part);
  }
  if (parts.length === 1 && Array.isArray(parts[0]) && next.length === previous.length) return undefined;
  return parts.every((part) => 'set' in part) ? { set: next } : { list: parts };
}

/** Where the element was; at the same place it may have changed. */
function comparePlaces(
  previous: readonly unknown[],
  places: ReadonlyMap<unknown, number>,
  element: unknown,
  index: number,
): ListPart {
  const place = isObject(element) ? places.get(element) : undefined;
  if (place !== undefined) return [place, 1];
  if (index < 0) return { set: element };
  const patch = findPatch(previous[index], element);
  if (!patch) return [index, 1];
  return 'set' in patch ? patch : { at: index, patch };
}

function applyPart(previous: readonly unknown[], part: ListPart): unknown[] {
  // A list itself has a method `at`, so this comes first.
  if (Array.isArray(part)) return previous.slice(part[0], part[0] + part[1]);
  const changed = part as Exclude<ListPart, readonly unknown[]>;
  return ['at' in changed ? applyPatch(previous[changed.at], changed.patch) : changed.set];
}

function isSameList(previous: readonly unknown[], next: readonly unknown[]): boolean {
  return previous.length === next.length && next.every((element, index) => element === previous[index]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isFields(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value);
}

// Serialises a whole snapshot field by field. Most fields do not change between versions, so they are not
// serialised again. The text is plain JSON.

export function createSnapshotWriter(): (snapshot: AccountSnapshot) => string {
  const written = new WeakMap<object, string>();

  function write(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    let text = written.get(value);
    if (text === undefined) {
      text = JSON.stringify(value);
      written.set(value, text);
    }
    return text;
  }

  return (snapshot) => {
    const fields = Object.entries(snapshot).flatMap(([name, value]) => {
      const text = write(value);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${fields.join()}}`;
  };
}
