// When this browser was last looked at, and what was advised then. Times and bucket names alone: no key, no figure.

export interface LastLook {
  /** The service's time. */
  ts: number;
  /** What was advised: "1001 120-139 BUY_YES"; null where nobody could see it. */
  advice: readonly string[] | null;
}

const KEPT_AS = 'tallycast-last-look';

/** As it was when the page was opened: later looks are this one. */
export const lastLook: LastLook | null = read();

function read(): LastLook | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null');
    return isLastLook(kept) ? kept : null;
  } catch {
    // A browser that keeps nothing has not looked before.
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
    // Then the next visit is a first one.
  }
}
