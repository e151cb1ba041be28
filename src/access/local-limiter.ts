// In-process limiter. With a log, requests from before a restart still count.

import type { Clock } from '../runtime/clock.ts';
import type { AllowanceLog } from './allowance-log.ts';
import {
  createCallerTable,
  type Limiter,
  type LimitPolicy,
  type LimitSettings,
  slotMsOf,
  type TrackedCaller,
} from './limiter.ts';
import { RollingWindow } from './rolling-window.ts';

const SLOTS = 720;

export function createLocalLimiter(
  settings: LimitSettings,
  clock: Clock,
  log: AllowanceLog | null = null,
): Limiter {
  const callers = createCallerTable(settings, clock, (name, policy) => {
    const window = new RollingWindow(policy.windowMs, slotMsOf(policy, SLOTS));
    for (const agoMs of log?.recall(name) ?? []) window.add(clock.now() - agoMs);
    return new LocalCaller(name, policy, window, clock, log);
  });
  return {
    ...callers,
    describe: () => ({ ...callers.describe(), isFallback: false }),
    close: async () => log?.close(),
  };
}

class LocalCaller implements TrackedCaller {
  readonly policy: LimitPolicy;
  remaining: number;
  resetInMs = 0;
  readonly #name: string;
  readonly #window: RollingWindow;
  readonly #clock: Clock;
  readonly #log: AllowanceLog | null;

  constructor(
    name: string,
    policy: LimitPolicy,
    window: RollingWindow,
    clock: Clock,
    log: AllowanceLog | null,
  ) {
    this.#name = name;
    this.policy = policy;
    this.remaining = policy.limit;
    this.#window = window;
    this.#clock = clock;
    this.#log = log;
  }

  take(): boolean {
    const nowTs = this.#clock.now();
    const isGranted = this.#window.countAt(nowTs) < this.policy.limit;
    if (isGranted) {
      this.#window.add(nowTs);
      this.#log?.note(this.#name);
    }
    this.#show(nowTs);
    return isGranted;
  }

  hasRoom(): boolean {
    this.#show(this.#clock.now());
    return this.remaining > 0;
  }

  isIdle(): boolean {
    return this.#window.countAt(this.#clock.now()) === 0;
  }

  /** A limit may have been lowered since the requests before a restart. */
  #show(nowTs: number): void {
    this.remaining = Math.max(0, this.policy.limit - this.#window.countAt(nowTs));
    this.resetInMs = this.#window.nextFreeTs(nowTs) - nowTs;
  }
}
