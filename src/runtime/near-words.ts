// Whether a word is a likely typo of another: one letter added, missing, different or swapped, or two in a
// long word.

const LONG_WORD = 8;

export function isNear(word: string, typed: string): boolean {
  if (word === typed) return false;
  const mostSlips = word.length >= LONG_WORD ? 2 : 1;
  return Math.abs(word.length - typed.length) <= mostSlips && editDistance(word, typed) <= mostSlips;
}

/** Edit distance that counts swapped neighbours as one edit (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let slips = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, beforeLast[j - 2]! + 1);
      row.push(slips);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
