// The session key that signs orders, read from a file that only its owner can access or from the environment.
// Never logged.

import { readFileSync, statSync } from 'node:fs';
import type { Hex, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { UsageError } from '../../runtime/errors.ts';

const FOR_OTHERS = 0o077;
const KEY = /^(0x)?[0-9a-fA-F]{64}$/;

export function readTradingKey(source: {
  file: string | undefined;
  value: string | undefined;
}): LocalAccount {
  const text = source.file === undefined ? source.value : readKeyFile(source.file);
  if (text === undefined)
    throw new UsageError('no trading key: pass --key-file FILE (mode 0600) or set TALLYCAST_TRADING_KEY');
  const key = text.trim();
  // The error message must not repeat the key.
  if (!KEY.test(key)) throw new UsageError('the trading key is not 64 hexadecimal digits');
  return privateKeyToAccount((key.startsWith('0x') ? key : `0x${key}`) as Hex);
}

function readKeyFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${file} does not exist`);
  if ((found.mode & FOR_OTHERS) !== 0)
    throw new UsageError(`${file} can be read by others: chmod 600 ${file}`);
  return readFileSync(file, 'utf8');
}
