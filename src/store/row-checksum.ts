// An order-independent checksum of a table: the sum of the row hashes.

import { hash } from 'node:crypto';

const MODULUS = 1n << 128n;
const HEX_DIGITS = 32;

export type Cell = number | string | Uint8Array | null;
export type Row = readonly Cell[];

export interface TableSummary {
  rows: number;
  checksum: bigint;
}

export function createSummary(): TableSummary {
  return { rows: 0, checksum: 0n };
}

export function addRow(summary: TableSummary, row: Row): void {
  const digest = hash('sha256', row.map(toText).join('\n'), 'hex').slice(0, HEX_DIGITS);
  summary.rows += 1;
  summary.checksum = (summary.checksum + BigInt(`0x${digest}`)) % MODULUS;
}

export function isSameSummary(left: TableSummary, right: TableSummary): boolean {
  return left.rows === right.rows && left.checksum === right.checksum;
}

/** Includes type and length, so that different rows never have the same encoding. */
function toText(cell: Row[number]): string {
  if (cell === null) return 'null';
  if (typeof cell === 'number') return `number ${cell}`;
  if (typeof cell === 'string') return `text ${cell.length} ${cell}`;
  return `bytes ${Buffer.from(cell).toString('hex')}`;
}
