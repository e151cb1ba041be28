// Splits long lists so that one statement stays within every engine's parameter limit.

const MAX_PARAMETERS = 8_000;

export function* batchesOf<T>(rows: readonly T[], columnsPerRow: number): Generator<readonly T[]> {
  const size = Math.max(1, Math.floor(MAX_PARAMETERS / columnsPerRow));
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}
