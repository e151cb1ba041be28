// A parser of external input, and how it is fuzzed.

import { SourceError } from '../../src/runtime/errors.ts';

export interface ParserTarget {
  name: string;
  /** 'json' inputs are values, 'text' inputs are strings. */
  kind: 'json' | 'text';
  samples: readonly unknown[];
  run(input: unknown): unknown;
  /** Set for slow parsers, which get a hundredth of the inputs and no long texts. */
  isSlow?: boolean;
  /** Errors that the parser's caller expects. */
  mayThrow?: (error: unknown) => boolean;
}

/** Errors of these kinds. */
export function isOf(...kinds: (new (...args: never[]) => Error)[]) {
  return (error: unknown) => kinds.some((kind) => error instanceof kind);
}

export function text(
  name: string,
  samples: readonly string[],
  run: (input: string) => unknown,
  mayThrow: ParserTarget['mayThrow'] = () => false,
): ParserTarget {
  return { name, kind: 'text', samples, run: (input) => run(input as string), mayThrow };
}

export function json(
  name: string,
  samples: readonly unknown[],
  run: (input: unknown) => unknown,
  mayThrow: ParserTarget['mayThrow'] = isOf(SourceError),
): ParserTarget {
  return { name, kind: 'json', samples, run, mayThrow };
}
