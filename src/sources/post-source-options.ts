// What a source of posts is created with.

import type { Account } from '../domain/account.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HttpTransport } from './http-transport.ts';

export interface PostSourceOptions {
  account: Account;
  clock: Clock;
  /** Unique among an account's sources; its kind by default. */
  name?: string;
  /** Polling period while it leads; the source has a default. */
  periodMs?: number;
}

export interface HttpPostSourceOptions extends PostSourceOptions {
  /** The base URL of a feed or archive is its whole address. */
  http: HttpTransport;
}
