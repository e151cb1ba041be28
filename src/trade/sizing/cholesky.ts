// Solves symmetric positive definite systems in place, row by row, reading only the lower triangle.

/** Returns false if the matrix is numerically not positive definite. */
export function factorise(matrix: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!;
      if (i === j && !(sum > 0)) return false;
      matrix[i * n + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * n + j]!;
    }
  }
  return true;
}

/** Replaces the right-hand side with the solution. */
export function solveFactorised(factor: Float64Array, n: number, right: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * n + k]! * right[k]!;
    right[i] = sum / factor[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i]! * right[k]!;
    right[i] = sum / factor[i * n + i]!;
  }
}
