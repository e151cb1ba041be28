// A validation fault in the format of FastAPI / pydantic 2. `input` is omitted because it could echo a
// secret.

export interface Fault {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: Record<string, unknown>;
}

export type Coerced<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** A fault raised by our own rules rather than by the schema. */
export function valueFault(loc: (string | number)[], text: string): Fault {
  return { type: 'value_error', loc, msg: `Value error, ${text}`, ctx: { error: {} } };
}

/** A path segment that is not a whole number. */
export function wholeNumberFault(loc: (string | number)[]): Fault {
  return {
    type: 'int_parsing',
    loc,
    msg: 'Input should be a valid integer, unable to parse string as an integer',
  };
}

/** Faults that only a handler can detect. */
export class FaultError extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    super('Request validation failed');
    this.name = 'FaultError';
    this.faults = faults;
  }
}
