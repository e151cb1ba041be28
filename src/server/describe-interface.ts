// Builds the OpenAPI document without a running service: declares the routes but opens no store or socket.

import { completeProfile } from '../domain/account-profile.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { createBoard } from '../state/board.ts';
import { createAdvisers } from '../trade/advice/adviser.ts';
import type { RouteContext } from './context.ts';
import { listRoutes } from './endpoints/all-routes.ts';
import { buildOpenApi } from './openapi.ts';

/** Segments of the default accounts. */
const ACCOUNTS = ['a', 'b'].map((accountId, place) => completeProfile({ accountId }, place));

export function describeInterface(version: string): Record<string, unknown> {
  // Declaring routes may read the board and set timers; this board is empty and this clock is frozen.
  const clock = createManualClock(0);
  const context = {
    accounts: ACCOUNTS,
    board: createBoard(),
    clock,
    wallClock: clock,
    logger: silentLogger,
    settings: {},
    store: {},
    adviserOf: createAdvisers(),
    onClose() {},
  } as unknown as RouteContext;
  return buildOpenApi(listRoutes(context), { version });
}
