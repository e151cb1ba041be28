// Reads fields from exchange responses. Money depends on them, so a missing or unreadable field is an error
// that includes the field's name, never a guess.

import { MICRO, toPips } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { Action } from '../types.ts';

export type AnswerFields = Readonly<Record<string, unknown>>;

export function readFields(value: unknown, what: string): AnswerFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(what);
  return value as AnswerFields;
}

export function readList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable(what);
  return value;
}

export function readText(fields: AnswerFields, key: string): string {
  const value = fields[key];
  if (typeof value !== 'string' || value === '') throw unreadable(key);
  return value;
}

export function readFlag(fields: AnswerFields, key: string): boolean {
  const value = fields[key];
  if (typeof value !== 'boolean') throw unreadable(key);
  return value;
}

export function readAction(fields: AnswerFields, key: string): Action {
  const value = fields[key];
  if (value !== 'BUY' && value !== 'SELL') throw unreadable(key);
  return value;
}

/** A non-negative number, given as a number or a decimal string. */
export function readAmount(fields: AnswerFields, key: string): number {
  const value = fields[key];
  const isDecimal = typeof value === 'string' && /^\d{1,20}(\.\d{1,20})?$/.test(value);
  const amount = isDecimal || typeof value === 'number' ? Number(value) : Number.NaN;
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER)) throw unreadable(key);
  return amount;
}

export function readMicro(fields: AnswerFields, key: string): number {
  const micro = Math.round(readAmount(fields, key) * MICRO);
  if (!Number.isSafeInteger(micro)) throw unreadable(key);
  return micro;
}

/** An amount that is already in millionths. */
export function readWholeMicro(fields: AnswerFields, key: string): number {
  const micro = readAmount(fields, key);
  if (!Number.isSafeInteger(micro)) throw unreadable(key);
  return micro;
}

/** A price from 0 to 1. */
export function readPips(fields: AnswerFields, key: string): number {
  const price = readAmount(fields, key);
  if (price > 1) throw unreadable(key);
  return toPips(price);
}

/** A positive number: a tick size or minimum order of 0 is invalid. */
export function readPositive(
  fields: AnswerFields,
  key: string,
  read: (fields: AnswerFields, key: string) => number,
): number {
  const value = read(fields, key);
  if (value <= 0) throw unreadable(key);
  return value;
}

function unreadable(what: string): SourceError {
  return new SourceError(`exchange: ${what} is missing or unreadable`, { isRetryable: false });
}
