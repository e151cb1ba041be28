// Time of the last visit in this browser, and the advice then. Only times and bucket names: no key, no
// figure.

export interface LastLook {
  /** The service's time. */
  ts: number;
  /** The advice: "1001 120-139 BUY_YES"; null if not visible. */
  advice: readonly string[] | null;
}

const KEPT_AS = 'tallycast-last-look';

/** As of when the page was opened: later updates belong to this visit. */
export const lastLook: LastLook | null = read();

function read(): LastLook | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null');
    return isLastLook(kept) ? kept : null;
  } catch {
    // Without storage, no earlier visit is known.
    return null;
  }
}

export function isLastLook(kept: unknown): kept is LastLook {
  const { ts, advice } = (kept ?? {}) as Partial<LastLook>;
  return Number.isSafeInteger(ts) && (advice === null || Array.isArray(advice));
}

export function keepLook(look: LastLook): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(look));
  } catch {
    // Without storage, the next visit counts as the first.
  }
}
