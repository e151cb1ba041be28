// Controls the simulator from outside: time and speed, faults, manual posts, and the truth.

import type { FaultActivation } from '../../../simulator/faults/fault-switch.ts';
import type { EventTruth, PostTruth } from '../../../simulator/truth.ts';

export interface SimulatorControl {
  readonly url: string;
  now(): Promise<number>;
  setSpeed(speed: number): Promise<void>;
  /** NAME[=VALUE][/FOR]. */
  order(fault: string): Promise<FaultActivation>;
  clearFaults(): Promise<void>;
  post(order: { accountId: string; kind: string; deleteAfterMs: number }): Promise<void>;
  truth(fromTs: number, hasPosts: boolean): Promise<Truth>;
}

export interface Truth {
  timestamp: number;
  events: EventTruth[];
  posts: PostTruth[];
}

export function createSimulatorControl(url: string): SimulatorControl {
  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${url}/admin${path}`, init);
    if (!response.ok) throw new Error(`simulator ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  return {
    url,
    now: async () => (await ask<{ timestamp: number }>('GET', '/speed')).timestamp,
    setSpeed: (speed) => ask('POST', '/speed', { speed }),
    order: (fault) => ask('POST', '/faults', { fault }),
    clearFaults: () => ask('DELETE', '/faults'),
    post: (order) => ask('POST', '/posts', order),
    truth: (fromTs, hasPosts) => ask('GET', `/truth?from=${fromTs}&posts=${hasPosts}`),
  };
}
