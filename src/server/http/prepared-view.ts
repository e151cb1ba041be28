// A view of the live board as a ready body: made again when what it shows changes, and at least every second,
// because it tells the time.

import { type PreparedBody, prepareJson } from './prepared-body.ts';

export interface ViewSource {
  /** Changes whenever the content may have; compared by identity. */
  version(): unknown;
  present(nowTs: number): unknown;
  /** When the content changes by the clock alone. */
  boundaryTs?(nowTs: number): number;
}

const REUSE_MS = 1_000;

export function createPreparedView(source: ViewSource): (nowTs: number) => PreparedBody {
  let body: PreparedBody | null = null;
  let version: unknown;
  let fromTs = 0;
  let untilTs = 0;

  return (nowTs) => {
    const current = source.version();
    if (body === null || current !== version || nowTs >= untilTs || nowTs < fromTs) {
      version = current;
      fromTs = nowTs;
      untilTs = Math.min(nowTs + REUSE_MS, source.boundaryTs?.(nowTs) ?? Infinity);
      body = prepareJson(source.present(nowTs));
    }
    return body;
  };
}
