// Options for creating a post source.

import type { Account } from '../domain/account.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HttpTransport } from './http-transport.ts';

export interface PostSourceOptions {
  account: Account;
  clock: Clock;
  /** Unique among an account's sources; the source's kind by default. */
  name?: string;
  /** Polling period while the source leads; each source has a default. */
  periodMs?: number;
}

export interface HttpPostSourceOptions extends PostSourceOptions {
  /** For a feed or archive, the base URL is the complete URL. */
  http: HttpTransport;
}
