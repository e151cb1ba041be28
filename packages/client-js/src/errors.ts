// Errors for rejected or failed calls, one class per way of handling them.

export interface Fault {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** The service rejected the call. */
export class TallycastError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The service's message, or the list of invalid parameters for a 422. */
  readonly detail: string | Fault[];
  /** Seconds until a retry may succeed; null if unknown. */
  readonly retryAfterS: number | null;
  /** The whole response body. */
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
 * 3xx: redirects are not followed, because that would forward the key. `location` is the address to use
 * instead; null in a browser.
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

/** 401: the key is missing or unknown, or its tier is too low. */
export class UnauthorizedError extends TallycastError {}

/** 402: the call requires a payment; `body` has the terms. */
export class PaymentRequiredError extends TallycastError {}

/** 404: no such account, event or webhook. */
export class NotFoundError extends TallycastError {}

/** 422: some parameters are invalid; `faults` lists them. */
export class InvalidRequestError extends TallycastError {
  get faults(): Fault[] {
    return Array.isArray(this.detail) ? this.detail : [];
  }
}

/** 429: the hourly limit is reached; `retryAfterS` says how long to wait. */
export class RateLimitedError extends TallycastError {}

/** 5xx: the service is temporarily unavailable. */
export class UnavailableError extends TallycastError {}

/** No response: the connection was refused or lost, or timed out. `cause` has the reason. */
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

/** Browsers hide the status and target of a redirect that is not followed. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

/** Accepts seconds, or a date as sent by proxies. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const ts = Date.parse(text);
  return Number.isNaN(ts) ? null : Math.max(0, (ts - Date.now()) / 1000);
}
