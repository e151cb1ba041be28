// Support for routes that write their own response: provides the constant headers and records the request
// when it ends.

import type { Exchange } from './exchange.ts';
import { API_LINES, splitLines } from './fixed-headers.ts';
import type { RawExchange, Route } from './route.ts';
import type { Sender } from './sender.ts';

export function takeOver(
  x: Exchange,
  handler: NonNullable<Route['takeOver']>,
  sender: Sender,
  onError: (error: unknown) => void,
  ways: Pick<RawExchange, 'callInside' | 'chargeMore'>,
): void {
  let bytes = 0;
  const { req, res } = x.reply.platform!;
  res.once('close', () => {
    if (!x.isDone) sender.finish(x, res.statusCode, bytes, null);
  });
  const raw: RawExchange = {
    req,
    res,
    headers: () => {
      const flat = splitLines(API_LINES + sender.ownLines(x));
      return Object.fromEntries(
        flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]!]] : [])) as [string, string][],
      );
    },
    countBytes: (more) => {
      bytes += more;
    },
    ...ways,
  };
  Promise.resolve()
    .then(() => handler(x, raw))
    .catch(onError);
}
