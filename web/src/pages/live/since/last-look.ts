// Stores the time of this browser's last visit and the advice at that time. No keys or amounts are stored.

export interface LastLook {
  /** By the service's clock. */
  ts: number;
  /** Entries such as "1001 120-139 BUY_YES"; null if advice was not visible. */
  advice: readonly string[] | null;
}

const KEPT_AS = 'tallycast-last-look';

/** Read when the page opens, because later updates belong to this visit. */
export const lastLook: LastLook | null = read();

function read(): LastLook | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null');
    return isLastLook(kept) ? kept : null;
  } catch {
    // Without local storage, earlier visits are unknown.
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
