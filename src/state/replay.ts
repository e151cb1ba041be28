// Observations as the leader logs them, and how a reader gets from a saved snapshot to the newest one. Pure.

import { applyObservation } from './apply-observation.ts';
import type { Step } from './changes.ts';
import type { AccountSnapshot, Observation } from './snapshot.ts';

export interface LoggedObservation {
  /** The version that it leads to. */
  version: number;
  ts: number;
  /** An observation, as JSON. */
  body: string;
}

/** The steps that lead on from this snapshot, by the same function as the leader's; stops at a gap. */
export function replay(snapshot: AccountSnapshot, logged: readonly LoggedObservation[]): Step[] {
  const steps: Step[] = [];
  let current = snapshot;
  for (const { version, ts, body } of logged) {
    if (version <= current.version) continue;
    if (version !== current.version + 1) break;
    const step = applyObservation(current, JSON.parse(body) as Observation, ts);
    steps.push(step);
    current = step.snapshot;
  }
  return steps;
}
