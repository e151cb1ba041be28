// Why a request failed, as text, and whether old numbers are still valid.

import type { ServiceError } from '../api/request.ts';
import { canPass } from '../api/use-retry.ts';
import { formatLength } from '../words/format.ts';
import { Problem } from './panel.tsx';

interface Props {
  error: ServiceError;
  hasOld?: boolean;
  /** Not retried automatically, e.g. because it costs something. */
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
