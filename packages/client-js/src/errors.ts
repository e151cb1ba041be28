// Errors of refused or failed calls. One class per way to react.

export interface Fault {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** The service refused the call. */
export class TallycastError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The service's message, or the list of faults of a 422. */
  readonly detail: string | Fault[];
  /** Seconds until a retry can help; null if unknown. */
  readonly retryAfterS: number | null;
  /** The whole body of the answer. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const detail = (body as { detail?: string | Fault[] } | undefined)?.detail ?? response.statusText;
    super(`${response.status}: ${typeof detail === 'string' ? detail : describeFaults(detail)}`);
    this.name = new.target.name;
    this.status = response.status;
    this.detail = detail;
    this.body = body;
    this.retryAfterS = readRetryAfter(response.headers.get('Retry-After'));
  }
}

/**
 * 3xx: not followed, because the key would be sent along. `location` is the address to use instead; null in a
 * browser.
 */
export class RedirectedError extends TallycastError {
  readonly location: string | null;

  constructor(response: Response) {
    const location = response.headers.get('Location');
    const place = location === null ? 'another address' : location;
    super(response, { detail: `redirected to ${place}; set the client's url to the service's address` });
    this.location = location;
  }
}

/** 401: missing or unknown key, or too low a tier. */
export class UnauthorizedError extends TallycastError {}

/** 402: the call can be paid for; `body` has the terms. */
export class PaymentRequiredError extends TallycastError {}

/** 404: no such account, event or webhook. */
export class NotFoundError extends TallycastError {}

/** 422: a parameter is invalid; `faults` names each. */
export class InvalidRequestError extends TallycastError {
  get faults(): Fault[] {
    return Array.isArray(this.detail) ? this.detail : [];
  }
}

/** 429: the hourly limit is used up; `retryAfterS` says for how long. */
export class RateLimitedError extends TallycastError {}

/** 5xx: the service cannot answer now. */
export class UnavailableError extends TallycastError {}

/** No answer: refused, disconnected, or timed out. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

const BY_STATUS: Readonly<Record<number, typeof TallycastError>> = {
  401: UnauthorizedError,
  402: PaymentRequiredError,
  404: NotFoundError,
  422: InvalidRequestError,
  429: RateLimitedError,
};

export async function readError(response: Response): Promise<TallycastError> {
  if (isRedirect(response)) return new RedirectedError(response);
  const body: unknown = await response.json().catch(() => undefined);
  const Kind = BY_STATUS[response.status] ?? (response.status >= 500 ? UnavailableError : TallycastError);
  return new Kind(response, body);
}

/** A browser hides the status and the address of a redirect that is not followed. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

/** Seconds, or a date as proxies write it. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const ts = Date.parse(text);
  return Number.isNaN(ts) ? null : Math.max(0, (ts - Date.now()) / 1000);
}
