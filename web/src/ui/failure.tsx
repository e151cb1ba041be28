// What went wrong with a request, in words, and whether old numbers still stand.

import type { ServiceError } from '../api/request.ts';
import { Problem } from './panel.tsx';

export function Failure({ error, hasOld = false }: { error: ServiceError; hasOld?: boolean }) {
  const old = hasOld ? ' The numbers below are from before.' : '';
  return (
    <Problem>
      {error.message}
      {error.retryAfterS ? ` Try again in ${error.retryAfterS} s.` : ''}
      {error.fieldErrors.map((fault) => ` ${fault.loc.slice(1).join('.')}: ${fault.msg}.`).join('')}
      {old}
    </Problem>
  );
}
