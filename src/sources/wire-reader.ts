// Reads payload fields of any type without throwing: a field of the wrong type counts as absent. Adapters throw a
// ShapeError if nothing usable is left.

import { SourceError } from '../runtime/errors.ts';

export type WireRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): WireRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireRecord) : null;
}

export function asArray(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/** A string, or a whole number for ids that are written as numbers. */
export function readText(record: WireRecord, key: string): string | null {
  const value = record[key];
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

/** A non-empty string. */
export function readName(record: WireRecord, key: string): string | null {
  const text = readText(record, key)?.trim();
  return text ? text : null;
}

/** A finite number, or a string that contains one. */
export function readNumber(record: WireRecord, key: string): number | null {
  return toNumber(record[key]);
}

export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (
    typeof value !== 'string' ||
    value.length > 40 ||
    !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value.trim())
  )
    return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export function readCount(record: WireRecord, key: string): number | null {
  const value = readNumber(record, key);
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A number from 0 to 1. */
export function readPrice(record: WireRecord, key: string): number | null {
  return toPrice(record[key]);
}

export function toPrice(value: unknown): number | null {
  const price = toNumber(value);
  return price !== null && price >= 0 && price <= 1 ? price : null;
}

/** A boolean, also as text or as 1 and 0: a market closed with "true" must not look open. */
export function readFlag(record: WireRecord, key: string): boolean | null {
  const value = record[key];
  if (typeof value === 'boolean') return value;
  const plain = typeof value === 'string' ? value.toLowerCase() : value;
  if (plain === 'true' || plain === 1) return true;
  return plain === 'false' || plain === 0 ? false : null;
}

/** ISO 8601, or the market's '2026-08-17 16:20:11+00'. Needs a zone; otherwise it would be local time. */
export function readTs(record: WireRecord, key: string): number | null {
  const value = record[key];
  return typeof value === 'string' ? parseTs(value) : null;
}

export function parseTs(value: string): number | null {
  const match =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)$/i.exec(
      value.trim(),
    );
  if (!match) return null;
  const zone = match[3]!.toUpperCase();
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(/\D/g, '').slice(2) || '00'}`;
  const ts = Date.parse(`${match[1]}T${match[2]}${offset}`);
  return Number.isNaN(ts) ? null : ts;
}

/** An array that the market writes as JSON inside a string; a real array is accepted too. */
export function readJsonTexts(record: WireRecord, key: string): string[] | null {
  const value = record[key];
  const parsed = typeof value === 'string' ? tryParseJson(value) : value;
  if (!Array.isArray(parsed)) return null;
  const texts = parsed.map((item) => (typeof item === 'number' ? String(item) : item));
  return texts.every((item) => typeof item === 'string') ? texts : null;
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Protocol version 2 writes some ids with 31 bytes and others padded to 32; both forms must match. */
function canonicalConditionId(id: string): string {
  const lower = id.toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(lower) ? `${lower}00` : lower;
}

/** null for anything that is not a hexadecimal id. */
export function readConditionId(record: WireRecord, key: string): string | null {
  const id = readName(record, key);
  return id !== null && /^0x[0-9a-f]{1,64}$/i.test(id) ? canonicalConditionId(id) : null;
}

/**
 * A response that cannot be read, because the platform or something in between has changed. Unlike a refusal,
 * it means this service has lost a capability.
 */
export class ShapeError extends SourceError {
  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { isRetryable: true, ...options });
    this.name = 'ShapeError';
  }
}
