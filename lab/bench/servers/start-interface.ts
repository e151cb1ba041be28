// The interface alone, with the service's flags: for insight into a part, never for a figure of the whole.

import { SERVICE_FLAGS } from '../../../scripts/service-runtime.mjs';
import type { BenchOptions } from '../core/bench.ts';
import { type Running, startScript } from '../core/processes.ts';
import type { OursHello } from './ours.ts';

export const PART = 'interface';

export async function startInterface(options: BenchOptions): Promise<Running<OursHello>> {
  return startScript<OursHello>('lab/bench/servers/ours.ts', [await options.snapshotFile()], SERVICE_FLAGS);
}
