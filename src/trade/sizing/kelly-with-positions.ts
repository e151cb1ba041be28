// Growth-optimal sizing with holdings and a spread: buy a bucket while its shadow price exceeds the cost,
// sell while it is below the net bid, otherwise leave it unchanged (the no-trade band).

import type { Allocation, AllocationProblem } from './allocation-problem.ts';
import { solveExclusiveAllocation } from './exclusive-allocation.ts';
import { solveJointAllocation } from './joint-allocation.ts';

/** Solves one event exactly; solves several events, or one with too little cash for No shares, jointly. */
export function solveAllocation(problem: AllocationProblem): Allocation {
  const exact = problem.winners.length === 1 ? solveExclusiveAllocation(problem) : null;
  return exact ?? solveJointAllocation(problem);
}
