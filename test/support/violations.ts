// Collects the invariants that are violated while something runs.

import { type InvariantName, onViolation } from '../../src/runtime/invariants.ts';

export async function violationsDuring(run: () => unknown): Promise<InvariantName[]> {
  const names: InvariantName[] = [];
  const stop = onViolation(({ name }) => names.push(name));
  try {
    await run();
  } finally {
    stop();
  }
  return names;
}
