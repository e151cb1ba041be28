// Per-call payments in the simulator. Loads the payment packages on start, not on import.

import type { Clock } from '../../src/runtime/clock.ts';
import type { Logger } from '../../src/runtime/logger.ts';
import { readDemoFile } from './demo-file.ts';
import type { DemoPayments, DemoPaymentsOptions } from './demo-stack.ts';

export type { DemoPayments, DemoPaymentsOptions } from './demo-stack.ts';

export async function startDemoPayments(options: DemoPaymentsOptions): Promise<DemoPayments> {
  const { startDemoStack } = await import('./demo-stack.ts');
  return startDemoStack(options);
}

/** The chain of a running demo, or the saved chain of a stopped one; null if there never was a demo. */
export async function openDemoChain(options: {
  clock: Clock;
  logger: Logger;
  dataDir: string;
}): Promise<{ network: string; rpcUrl: string; close(): Promise<void> } | null> {
  const running = readDemoFile(options.dataDir);
  if (!running) return null;
  if (await isAnswering(running.rpcUrl)) return { ...running, close: async () => {} };
  return startDemoPayments({ ...options, isReadOnly: true });
}

async function isAnswering(rpcUrl: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'web3_clientVersion', params: [] });
  try {
    const response = await fetch(rpcUrl, { method: 'POST', body, signal: AbortSignal.timeout(2_000) });
    const answer = (await response.json()) as { result?: unknown };
    return answer.result === 'pretend-chain';
  } catch {
    return false;
  }
}
