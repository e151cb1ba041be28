// Explains a failed start in one line that says which setting to change.

import { resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { StartError, StoreError } from '../runtime/errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; pass another --port or stop the other process',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'it is not a directory',
  ENOTDIR: 'it is not a directory',
  ENOENT: 'the directory cannot be created',
  ELOOP: 'symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
};

/** Returns the error unchanged if there is no better message. */
export function explainStartFailure(
  error: unknown,
  config: Pick<Config, 'host' | 'port' | 'dataDir'>,
): unknown {
  if (error instanceof StoreError) return new StartError(error.message, error);
  if (!(error instanceof Error)) return error;
  const { syscall, path, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const reason = describeSystemError(error);
  if (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo') {
    const setting = port === undefined || port === config.port ? 'PORT' : 'METRICS_PORT';
    const place = `${address ?? config.host}:${port ?? config.port}`;
    return new StartError(`${setting}: cannot listen on ${place}: ${reason}`, error);
  }
  if (path !== undefined && isWithin(path, config.dataDir))
    return new StartError(`DATA_DIR: cannot write to ${config.dataDir}: ${reason}`, error);
  return error;
}

/** The reason as text, if known. */
export function describeSystemError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return WORDS[code] ?? (code || message);
}

function isWithin(path: string, dir: string): boolean {
  const home = resolve(dir);
  return resolve(path) === home || resolve(path).startsWith(home + sep);
}
