// Says why a request failed, when it is retried, and whether the numbers shown are old.

import type { ServiceError } from '../api/request.ts';
import { canPass } from '../api/use-retry.ts';
import { formatLength } from '../words/format.ts';
import { Problem } from './panel.tsx';

interface Props {
  error: ServiceError;
  hasOld?: boolean;
  /** True if the request is not retried automatically, e.g. because it costs money. */
  isFinal?: boolean;
}

export function Failure({ error, hasOld = false, isFinal = false }: Props) {
  const old = hasOld ? ' The numbers below may be out of date.' : '';
  return (
    <Problem>
      {error.message}
      {describeNext(error, isFinal)}
      {error.fieldErrors.map((fault) => ` ${fault.loc.slice(1).join('.')}: ${fault.msg}.`).join('')}
      {old}
    </Problem>
  );
}

function describeNext(error: ServiceError, isFinal: boolean): string {
  const { retryAfterS } = error;
  if (isFinal) return retryAfterS ? ` Try again in ${formatLength(retryAfterS * 1000)}.` : '';
  if (!canPass(error)) return '';
  return retryAfterS ? ` Retrying in ${formatLength(retryAfterS * 1000)}.` : ' Retrying automatically.';
}
