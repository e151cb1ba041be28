// The service for npx tallycast lab fuzz-http, in a process of its own; says where it is, and on request how long its event
// loop was ever held up.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NO_LIMITS } from '../../test/hostile/no-limits.ts';
import { bootService } from '../../test/support/boot.ts';

const TICK_MS = 5;

const service = await bootService({ overrides: { settings: { limits: NO_LIMITS } } });
// The first message of an agent loads the package that reads them, once.
await fetch(`${service.url}/mcp`, { method: 'POST', body: '{}' });
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const worked = watchWork();
process.send!({ url: service.url });
process.on('message', (message) => {
  if (message === 'delay') process.send!({ maxDelayMs: delay.max / 1e6, maxWorkMs: worked.maxMs });
  if (message === 'stop') void service.stop().then(() => process.exit(0));
});

/** Time that the main thread itself worked between two ticks: a stall of its own making, whoever else is busy. */
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
