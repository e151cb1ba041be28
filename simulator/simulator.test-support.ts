// A simulator on a manual clock, half a year into its history.

import { createManualClock } from '../src/runtime/clock.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import type { SimulatorOptions } from './simulator-state.ts';

export const NOW_TS = Date.UTC(2026, 10, 15, 15);
export const ANCHOR_TS = Date.UTC(2026, 5, 18);

// biome-ignore lint/suspicious/noExplicitAny: payloads are checked field by field.
export type Json = any;

export function openSimulator(options: Partial<SimulatorOptions> = {}, startTs = NOW_TS) {
  const clock = createManualClock(startTs);
  const simulator = createSimulator({ seed: 7, anchorTs: ANCHOR_TS, clock, ...options });
  return { clock, simulator };
}

export function ask(simulator: Simulator, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: 'Bearer simulator' };
  return simulator.fetch(new Request(`http://simulator${path}`, { headers, ...init }));
}
