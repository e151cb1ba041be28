// The stream of our own orders and trades. Messages can be lost, so each one only triggers a read of the
// exchange.

import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { ApiCredentials } from './auth-headers.ts';
import { openSocket } from './socket.ts';

export interface UserStreamOptions {
  url: string;
  key: ApiCredentials;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

/** Returns a function that closes the stream. */
export function openUserStream({ url, key, clock, logger, onChange }: UserStreamOptions): () => void {
  const socket = openSocket({
    url,
    clock,
    logger,
    onOpen() {
      socket.send({ type: 'user', auth: key, markets: [] });
      // Events missed while disconnected are not sent again.
      onChange();
    },
    onMessage: onChange,
  });
  return socket.close;
}
