// Verifies the venue's signature: RSA-PSS over timestamp, method and path without the query.

import { constants, createPublicKey, verify } from 'node:crypto';
import { SECOND_MS } from '../../src/domain/units.ts';

export interface KalshiMember {
  keyId: string;
  publicKeyPem: string;
}

/** In the venue's wording. */
export interface Refusal {
  code: string;
  message: string;
  details?: string;
}

/** The tolerance observed at the venue was between five and thirty seconds. */
const ALLOWED_SKEW_MS = 10 * SECOND_MS;

/** The signing member, or the venue's error. */
export function checkSignature(
  members: readonly KalshiMember[],
  headers: Headers,
  method: string,
  path: string,
  nowTs: number,
): KalshiMember | Refusal {
  const keyId = headers.get('kalshi-access-key');
  const signature = headers.get('kalshi-access-signature');
  const timestamp = headers.get('kalshi-access-timestamp');
  if (!keyId || !signature || !timestamp) return refuse('missing_authentication_header');
  if (!/^\d{13}$/.test(timestamp) || Math.abs(nowTs - Number(timestamp)) > ALLOWED_SKEW_MS)
    return refuse('header_timestamp_expired');
  const member = members.find((one) => one.keyId === keyId);
  if (!member) return refuse('authentication_error', 'NOT_FOUND');
  const isRight = verify(
    'sha256',
    Buffer.from(`${timestamp}${method}${path}`),
    {
      key: createPublicKey(member.publicKeyPem),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    },
    Buffer.from(signature, 'base64'),
  );
  return isRight ? member : refuse('authentication_error', 'INCORRECT_API_KEY_SIGNATURE');
}

export function isRefused(outcome: KalshiMember | Refusal): outcome is Refusal {
  return 'code' in outcome;
}

function refuse(code: string, details?: string): Refusal {
  return { code, message: code, ...(details ? { details } : {}) };
}
