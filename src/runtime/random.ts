// Seeded random numbers: xoshiro128** with a splitmix32 seeder. The same seed gives the same numbers on every
// machine.

export interface Random {
  /** Uniform unsigned 32-bit integer. */
  uint32(): number;
  /** Uniform in [0, 1). 53 bits. */
  uniform(): number;
  /** Standard normal by Box-Muller, which uses a fixed number of draws per value. */
  normal(): number;
  /** An independent stream, derived from this stream's seed and a label, but not from its position. */
  fork(label: string | number): Random;
}

export function createRandom(seed: number): Random {
  let mix = seed >>> 0;
  const seedWord = () => {
    mix = (mix + 0x9e3779b9) >>> 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  let s0 = seedWord();
  let s1 = seedWord();
  let s2 = seedWord();
  let s3 = seedWord();

  function uint32(): number {
    const x = Math.imul(s1, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    return result;
  }

  function uniform(): number {
    const high = uint32() >>> 5;
    const low = uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  return {
    uint32,
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    fork: (label) => createRandom((seed ^ hashLabel(String(label))) >>> 0),
  };
}

/** 32-bit FNV-1a: stable across machines and versions. */
export function hashLabel(label: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A seed from the operating system, for values that must be unpredictable. */
export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
