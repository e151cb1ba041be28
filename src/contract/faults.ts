// One fault of a request, in the shape that FastAPI / pydantic 2 gives it. `input` is left out: it can echo a secret.

export interface Fault {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: Record<string, unknown>;
}

export type Coerced<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** A fault found by a rule of our own rather than by the schema. */
export function valueFault(loc: (string | number)[], text: string): Fault {
  return { type: 'value_error', loc, msg: `Value error, ${text}`, ctx: { error: {} } };
}

/** Faults that only a handler can find. */
export class FaultError extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    super('Request validation failed');
    this.name = 'FaultError';
    this.faults = faults;
  }
}
