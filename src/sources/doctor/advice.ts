// Maps a failure to what an operator can do about it.

import { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';

export function adviseOn(error: unknown, settings: readonly string[]): string {
  const names = settings.join(', ');
  if (error instanceof ShapeError)
    return 'Try again. If it persists, the platform has changed and you need a newer version of this service.';
  if (!(error instanceof SourceError) || error.status === null) {
    return `Is the address right and reachable from here? See ${names}.`;
  }
  const secret = settings.find((name) => /TOKEN|KEY/.test(name));
  switch (error.status) {
    case 401:
      return secret
        ? `Set ${secret} to a valid credential.`
        : `This source needs a credential; see ${names}.`;
    case 402:
      return 'Out of credit. Top up the account that this credential belongs to.';
    case 403:
      return error.isRetryable
        ? 'A proxy or firewall blocks this machine (often by its network address). Try from another network.'
        : `The credential does not cover this call${secret ? `; check the permissions of ${secret}` : ''}.`;
    case 404:
      return `The source returned "not found". Check ${names}.`;
    case 429:
      return 'Too many requests. Wait, and make sure nothing else uses the same credential.';
    default:
      return error.status >= 500 ? 'The source is failing. Try again later.' : `Check ${names}.`;
  }
}
