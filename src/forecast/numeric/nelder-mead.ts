// Derivative-free, deterministic minimiser for the few parameters of the state space.

export interface Minimum {
  point: number[];
  value: number;
}

export function minimise(
  target: (point: number[]) => number,
  start: readonly number[],
  step: number,
  maxEvaluations: number,
): Minimum {
  const n = start.length;
  const simplex: Minimum[] = [];
  let evaluations = 0;
  const evaluate = (point: number[]): Minimum => {
    evaluations += 1;
    return { point, value: target(point) };
  };
  simplex.push(evaluate([...start]));
  for (let i = 0; i < n; i++) simplex.push(evaluate(start.map((x, j) => (i === j ? x + step : x))));
  while (evaluations < maxEvaluations) {
    simplex.sort((a, b) => a.value - b.value);
    const best = simplex[0]!;
    const worst = simplex[n]!;
    if (worst.value - best.value < 1e-5) break;
    const centre = start.map((_, j) => simplex.slice(0, n).reduce((sum, v) => sum + v.point[j]!, 0) / n);
    const along = (scale: number) => evaluate(centre.map((c, j) => c + scale * (worst.point[j]! - c)));
    const reflected = along(-1);
    if (reflected.value < best.value) {
      const expanded = along(-2);
      simplex[n] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < simplex[n - 1]!.value) {
      simplex[n] = reflected;
    } else {
      const contracted = along(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < Math.min(worst.value, reflected.value)) simplex[n] = contracted;
      else shrinkTowards(simplex, evaluate);
    }
  }
  simplex.sort((a, b) => a.value - b.value);
  return simplex[0]!;
}

function shrinkTowards(simplex: Minimum[], evaluate: (point: number[]) => Minimum): void {
  const best = simplex[0]!;
  for (let i = 1; i < simplex.length; i++) {
    simplex[i] = evaluate(simplex[i]!.point.map((x, j) => best.point[j]! + 0.5 * (x - best.point[j]!)));
  }
}
