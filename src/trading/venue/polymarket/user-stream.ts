// Reports of our own orders and trades. Messages can be lost, so each is only a reason to read the exchange now.

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

/** The returned function closes it. */
export function openUserStream({ url, key, clock, logger, onChange }: UserStreamOptions): () => void {
  const socket = openSocket({
    url,
    clock,
    logger,
    onOpen() {
      socket.send({ type: 'user', auth: key, markets: [] });
      // What happened while nothing was connected is not sent again.
      onChange();
    },
    onMessage: onChange,
  });
  return socket.close;
}
