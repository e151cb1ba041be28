// Past prices as compressed columns, without loss. Times are stored as differences.

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { PastPricePoint } from '../../domain/venue-past.ts';

const QUALITY = 7;

type Columns = [steps: number[], ...prices: (number | null)[][]];

/** Points must be in chronological order. */
export function packPoints(points: readonly PastPricePoint[]): Uint8Array {
  const steps = points.map(({ ts }, i) => ts - (points[i - 1]?.ts ?? 0));
  const prices = (points[0]?.prices ?? []).map((_, i) => points.map((point) => point.prices[i] ?? null));
  const columns: Columns = [steps, ...prices];
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return brotliCompressSync(JSON.stringify(columns), { params });
}

export function unpackPoints(bytes: Uint8Array): PastPricePoint[] {
  const [steps, ...prices] = JSON.parse(brotliDecompressSync(bytes).toString()) as Columns;
  let ts = 0;
  return steps.map((step, i) => ({ ts: (ts += step), prices: prices.map((column) => column[i]!) }));
}
