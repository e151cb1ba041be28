// The service for npx tallycast lab fuzz-http in a separate process. Reports its address and, on request, the
// longest event-loop stall.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NO_LIMITS } from '../../test/hostile/no-limits.ts';
import { bootService } from '../../test/support/boot.ts';

const TICK_MS = 5;

const service = await bootService({ overrides: { settings: { limits: NO_LIMITS } } });
// Loads the parser package before measuring, which the first MCP message triggers.
await fetch(`${service.url}/mcp`, { method: 'POST', body: '{}' });
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const worked = watchWork();
process.send!({ url: service.url });
process.on('message', (message) => {
  if (message === 'delay') process.send!({ maxDelayMs: delay.max / 1e6, maxWorkMs: worked.maxMs });
  if (message === 'stop') void service.stop().then(() => process.exit(0));
});

/**
 * Measures CPU time of the main thread between two ticks, so that only stalls caused by the service count.
 */
function watchWork(): { maxMs: number } {
  const seen = { maxMs: 0 };
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    seen.maxMs = Math.max(seen.maxMs, (user + system) / 1_000);
  }, TICK_MS);
  return seen;
}
