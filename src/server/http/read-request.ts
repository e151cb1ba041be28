// Reads a request's parameters and body with its route's schemas.

import type { Answer } from './answer.ts';
import { errorAnswer, faultAnswer } from './error-responses.ts';
import type { Exchange } from './exchange.ts';
import { readBytes } from './read-body.ts';
import type { RoutedMethod, Router } from './router.ts';

export function readQuery(x: Exchange, method: RoutedMethod, router: Router): Answer | null {
  if (x.entry!.pattern.includes('{')) x.params = router.readParams(x.entry!.pattern, x.path);
  if (method.readQuery === null) return null;
  const reading = method.readQuery(x.queryText);
  x.warning = reading.warning;
  if (reading.faults !== null) return faultAnswer(reading.faults);
  x.query = reading.value;
  return null;
}

export async function readBody(
  x: Exchange,
  method: RoutedMethod,
  limitBytes: number,
): Promise<Answer | null> {
  const bytes = x.givenBody ?? (await readBytes(x.reply.platform!, limitBytes));
  if (bytes === null) {
    return errorAnswer(413, `The body is larger than ${limitBytes} bytes`);
  }
  const reading = method.readBody!(bytes, x.req.headers);
  x.warning ??= reading.warning;
  if (reading.refusal !== null) return reading.refusal;
  x.body = reading.value;
  return null;
}
