// Fixed rate-limit windows, as on X.

export interface RateWindow {
  take(limit: number, nowTs: number): { isAllowed: boolean; remaining: number; resetTs: number };
}

export function createRateWindow(windowMs: number): RateWindow {
  let windowStart = 0;
  let used = 0;
  return {
    take(limit, nowTs) {
      const start = Math.floor(nowTs / windowMs) * windowMs;
      if (start !== windowStart) {
        windowStart = start;
        used = 0;
      }
      const isAllowed = used < limit;
      if (isAllowed) used += 1;
      return { isAllowed, remaining: Math.max(0, limit - used), resetTs: start + windowMs };
    },
  };
}
