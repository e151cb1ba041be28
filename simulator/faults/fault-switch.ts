// Active faults. Activations are stored with their times, because some faults change history (a stall, a
// deletion) and must stay consistent.

import { MINUTE_MS } from '../../src/domain/units.ts';
import { hashLabel } from '../../src/runtime/random.ts';
import { chance } from '../chance.ts';
import type { FaultOrder } from './fault-registry.ts';

export interface FaultActivation {
  name: string;
  value: number;
  fromTs: number;
  untilTs: number | null;
}

export interface FaultSwitch {
  add(order: FaultOrder, nowTs: number): FaultActivation;
  /** Ends every activation of the named fault, or of all faults. */
  clear(name: string | null, nowTs: number): void;
  list(): readonly FaultActivation[];
  /** Value of the latest activation that covers this time; null if there is none. */
  valueAt(name: string, ts: number): number | null;
  /** Whether a fault with a share as its value hits this request. */
  hits(name: string, ts: number): boolean;
  /** Whether the fault is active in the five-minute interval that contains this time. */
  isOn(name: string, ts: number): boolean;
}

const STRETCH_MS = 5 * MINUTE_MS;

export function createFaultSwitch(seedKey: number): FaultSwitch {
  const activations: FaultActivation[] = [];
  const counters = new Map<string, number>();

  function valueAt(name: string, ts: number): number | null {
    let value: number | null = null;
    for (const activation of activations) {
      if (activation.name === name && covers(activation, ts)) value = activation.value;
    }
    return value;
  }

  return {
    add(order, nowTs) {
      const fromTs = nowTs + order.afterMs;
      const activation = {
        name: order.name,
        value: order.value,
        fromTs,
        untilTs: order.forMs === null ? null : fromTs + order.forMs,
      };
      activations.push(activation);
      return activation;
    },
    clear(name, nowTs) {
      for (const activation of activations) {
        if (name !== null && activation.name !== name) continue;
        if (activation.untilTs === null || activation.untilTs > nowTs) activation.untilTs = nowTs;
      }
    },
    list: () => activations,
    valueAt,
    hits(name, ts) {
      const value = valueAt(name, ts);
      if (value === null) return false;
      const number = counters.get(name) ?? 0;
      counters.set(name, number + 1);
      return chance(seedKey ^ hashLabel(name), number) < value;
    },
    isOn(name, ts) {
      const value = valueAt(name, ts);
      return value !== null && chance(seedKey ^ hashLabel(name), Math.floor(ts / STRETCH_MS), 1) < value;
    },
  };
}

export function covers(activation: FaultActivation, ts: number): boolean {
  return activation.fromTs <= ts && (activation.untilTs === null || ts < activation.untilTs);
}
