// A prepared body for one view of the board. It is rebuilt when its content changes, and at least once a
// second because it contains the time.

import { type PreparedBody, prepareJson } from './prepared-body.ts';

export interface ViewSource<T> {
  /** Compared by identity; changes whenever the content may have changed. */
  version(): unknown;
  present(nowTs: number): T;
  /** When the content next changes with time alone. */
  boundaryTs?(nowTs: number): number;
}

const REUSE_MS = 1_000;

export function createPreparedView<T>(source: ViewSource<T>): (nowTs: number) => PreparedBody<T> {
  let body: PreparedBody<T> | null = null;
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
