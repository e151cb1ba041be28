// Stateless seeded random numbers: a draw depends on the seed and labels, never on earlier draws, so that a
// restarted simulator reproduces the same history.

const GOLDEN = 0x9e3779b9;

function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/** 32 uniform bits from a key and up to three numbers, which may exceed 32 bits. */
export function hashNumbers(key: number, a = 0, b = 0, c = 0): number {
  return stir(stir(stir(mix(key + GOLDEN), a), b), c);
}

function stir(hash: number, value: number): number {
  const high = Math.floor(value / 4294967296) | 0;
  return mix(hash ^ Math.imul(value | 0, GOLDEN) ^ Math.imul(high + 0x51ed270b, 0x2545f491));
}

/** Uniform in [0, 1). */
export function chance(key: number, a = 0, b = 0, c = 0): number {
  return hashNumbers(key, a, b, c) / 4294967296;
}

/** Standard normal. */
export function normalChance(key: number, a = 0, b = 0, c = 0): number {
  const u = 1 - chance(key, a, b, c);
  const v = chance(key ^ 0x5bd1e995, a, b, c);
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
}

/** Smooth noise of unit variance: interpolates between normals on the integers. */
export function smoothNoise(key: number, x: number): number {
  const left = Math.floor(x);
  const share = (1 - Math.cos(Math.PI * (x - left))) / 2;
  const blended = (1 - share) * normalChance(key, left) + share * normalChance(key, left + 1);
  return blended / Math.sqrt(share * share + (1 - share) * (1 - share));
}

export function pickFrom<T>(items: readonly T[], unit: number): T {
  return items[Math.min(items.length - 1, Math.floor(unit * items.length))]!;
}
