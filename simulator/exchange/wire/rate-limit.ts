// Limits per signer, besides those per address: orders and cancellations refill separately. A request that costs more
// than the burst can never succeed.

const LIMITS = {
  order: { perSecond: 40, burst: 60 },
  cancel: { perSecond: 80, burst: 120 },
} as const;

export interface RateLimit {
  /** Takes the cost if it is available; the headers say what is left. */
  take(
    signer: string,
    kind: keyof typeof LIMITS,
    cost: number,
  ): { isAllowed: boolean; headers: Record<string, string> };
}

export function createRateLimit(now: () => number): RateLimit {
  const buckets = new Map<string, { left: number; ts: number }>();
  return {
    take(signer, kind, cost) {
      const { perSecond, burst } = LIMITS[kind];
      const name = `${signer.toLowerCase()} ${kind}`;
      const known = buckets.get(name) ?? { left: burst, ts: now() };
      const refilled = Math.min(burst, known.left + ((now() - known.ts) / 1000) * perSecond);
      const isAllowed = cost <= refilled;
      const left = isAllowed ? refilled - cost : refilled;
      buckets.set(name, { left, ts: now() });
      const headers = {
        'poly-ratelimit-remaining': String(Math.floor(left)),
        'poly-ratelimit-reset': String(Math.ceil((burst - left) / perSecond)),
        'poly-ratelimit-tier': 'default',
      };
      return { isAllowed, headers };
    },
  };
}
