// Redacts private data from a recording: credentials by value, wallets, email and network addresses.

import { createHash } from 'node:crypto';

export type Redact = (text: string) => string;

const WALLET = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
const NO_WALLET = /^0x0{40}$/;
/** Shorter values would match everywhere. */
const MIN_SECRET_LENGTH = 4;

/** A wallet keeps the same pseudonym throughout a recording; without the salt it cannot be reversed. */
export function createRedact(secrets: readonly string[], salt: string): Redact {
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((left, right) => right.length - left.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, 'removed');
    return clean
      .replace(/\/\/[^/@\s"]{1,200}@/g, '//')
      .replace(WALLET, (wallet) => (NO_WALLET.test(wallet) ? wallet : pseudonym(wallet, salt)))
      .replace(MAIL, 'removed@mail.invalid')
      .replace(IPV4, (address) => (address.startsWith('127.') ? address : '0.0.0.0'));
  };
}

function pseudonym(wallet: string, salt: string): string {
  const digest = createHash('sha256').update(salt).update(wallet.toLowerCase()).digest('hex');
  return `0x${digest.slice(0, 40)}`;
}

const SECRET_NAME = /secret|token|key|pass|credential|rpcUrl|databaseUrl/i;

/** Every configuration value stored under a secret name, at any depth. */
export function findSecrets(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findSecrets(inner, isSecret || SECRET_NAME.test(name)),
  );
}

/** The same configuration with those values masked. */
export function blankSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? 'removed' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => blankSecrets(inner, isSecret));
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    blankSecrets(inner, isSecret || SECRET_NAME.test(name)),
  ]);
  return Object.fromEntries(entries);
}
