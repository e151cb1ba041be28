// Optimal growth with holdings and a spread: buy a bucket while its shadow price exceeds the cost, sell while
// it is below the net bid, otherwise leave it unchanged (the no-trade band).

import type { Allocation, AllocationProblem } from './allocation-problem.ts';
import { solveExclusiveAllocation } from './exclusive-allocation.ts';
import { solveJointAllocation } from './joint-allocation.ts';

/** One event is solved exactly; several, or one short of cash for No shares, jointly. */
export function solveAllocation(problem: AllocationProblem): Allocation {
  const exact = problem.winners.length === 1 ? solveExclusiveAllocation(problem) : null;
  return exact ?? solveJointAllocation(problem);
}
