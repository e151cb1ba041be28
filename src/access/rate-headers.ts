// Rate-limit headers for every limited response.

import type { LimitedCaller, LimitPolicy } from './limiter.ts';

const fixedLines = new WeakMap<LimitPolicy, string>();

export function rateLines(caller: LimitedCaller, nowTs: number): string {
  const { policy, remaining, resetTs } = caller;
  const left = remaining > 0 ? remaining : 0;
  return `${fixed(policy)}${left};t=${secondsUntil(resetTs, nowTs)}\r\nX-RateLimit-Remaining: ${left}\r\nX-RateLimit-Reset: ${Math.ceil(resetTs / 1000)}\r\n`;
}

/** Whole seconds, rounded up, until another request is allowed. */
export function secondsUntil(ts: number, nowTs: number): number {
  return Math.max(1, Math.ceil((ts - nowTs) / 1000));
}

/** The constant part, up to where the remaining count is inserted. */
function fixed(policy: LimitPolicy): string {
  let lines = fixedLines.get(policy);
  if (lines === undefined) {
    const windowS = policy.windowMs / 1000;
    lines = `X-RateLimit-Limit: ${policy.limit}\r\nRateLimit-Policy: "${policy.name}";q=${policy.limit};w=${windowS}\r\nRateLimit: "${policy.name}";r=`;
    fixedLines.set(policy, lines);
  }
  return lines;
}
