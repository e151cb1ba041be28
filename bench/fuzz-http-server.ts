// The service for npm run fuzz:http, in a process of its own; says where it is, and on request how long its event
// loop ever stood still.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { bootService } from '../test/boot.ts';
import { NO_LIMITS } from '../test/hostile/no-limits.ts';

const service = await bootService({
  overrides: { settings: { limits: NO_LIMITS } },
});
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.send!({ url: service.url });
process.on('message', (message) => {
  if (message === 'delay')
    process.send!({ maxDelayMs: delay.max / 1e6, p99DelayMs: delay.percentile(99) / 1e6 });
  if (message === 'stop') void service.stop().then(() => process.exit(0));
});
