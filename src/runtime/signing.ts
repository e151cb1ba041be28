// Signs documents: Ed25519 over canonical JSON. A verifier needs only the document and the key.

import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

export interface KeyPair {
  /** Base64-encoded DER (SPKI). */
  publicKey: string;
  /** Base64-encoded DER (PKCS 8). */
  privateKey: string;
}

export interface Signature {
  algorithm: 'Ed25519';
  key_id: string;
  public_key: string;
  /** Base64-encoded signature of the document's canonical JSON. */
  value: string;
}

const KEY_ID_CHARACTERS = 16;

export function createKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
}

export function keyIdOf(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, KEY_ID_CHARACTERS);
}

export function signDocument(document: unknown, { publicKey, privateKey }: KeyPair): Signature {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' });
  const value = sign(null, Buffer.from(writeCanonical(document)), key).toString('base64');
  return { algorithm: 'Ed25519', key_id: keyIdOf(publicKey), public_key: publicKey, value };
}

/** JSON without spaces, object keys sorted by code unit. */
function writeCanonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(',')}]`;
  const record = value as Record<string, unknown>;
  let fields = '';
  for (const name of Object.keys(record).sort()) {
    const part = record[name];
    if (part === undefined) continue;
    const separator = fields === '' ? '' : ',';
    fields += `${separator}${JSON.stringify(name)}:${writeCanonical(part)}`;
  }
  return `{${fields}}`;
}
