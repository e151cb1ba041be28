// What a refused or failed call throws.

export interface Fault {
  type: string;
  loc: (string | number)[];
  msg: string;
}

export class TallycastError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The service's words, or the list of faults of a 422. */
  readonly detail: string | Fault[];
  /** Seconds until trying again can help; null when nothing was said. */
  readonly retryAfterS: number | null;
  /** The whole body of the answer. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const detail = (body as { detail?: string | Fault[] } | undefined)?.detail ?? response.statusText;
    super(`${response.status}: ${typeof detail === 'string' ? detail : describeFaults(detail)}`);
    this.name = 'TallycastError';
    this.status = response.status;
    this.detail = detail;
    this.body = body;
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterS = Number.isFinite(retryAfter) ? retryAfter : null;
  }
}

function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}
