// Request signatures: RSA-PSS with SHA-256 over timestamp, method and the path without its query.

import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { UsageError } from '../../runtime/errors.ts';
import type { Fetch } from '../http-transport.ts';

export interface KalshiKey {
  keyId: string;
  privateKeyPem: string;
}

export type SignRequest = (method: string, path: string, nowTs: number) => Record<string, string>;

export function createSigner({ keyId, privateKeyPem }: KalshiKey): SignRequest {
  const key = readKey(privateKeyPem);
  return (method, path, nowTs) => {
    const timestamp = String(Math.round(nowTs));
    const text = `${timestamp}${method}${path.split('?')[0]}`;
    const signature = sign('sha256', Buffer.from(text), {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    });
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
    };
  };
}

/** The key itself never appears in the error message. */
function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new UsageError('the Kalshi private key is not a PEM-encoded RSA key');
  }
}

/** Signs every request; the query is not part of the signature. */
export function signFetch(fetch: Fetch, sign: SignRequest, now: () => number): Fetch {
  return (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...init.headers, ...sign(init.method ?? 'GET', new URL(url).pathname, now()) },
    });
}
