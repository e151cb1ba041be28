// Reads a request body up to a size limit.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './error-responses.ts';

/** How much of an oversized body to read and discard, and for how long. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const DISCARD_WITHIN_MS = 10_000;

/**
 * Returns null if the body is too large. The rest is then read and discarded: during the response if the
 * connection stays open, before it if the connection closes.
 */
export async function readBytes(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  limitBytes: number,
): Promise<Buffer | null> {
  const bytes = await gatherBytes(req, limitBytes);
  if (bytes !== null) return bytes;
  const discarded = discard(req);
  if (!res.shouldKeepAlive) await discarded;
  return null;
}

function gatherBytes(req: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limitBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const gather = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else {
        req.pause();
        req.off('data', gather);
        resolve(null);
      }
    };
    req.on('data', gather);
    req.on('end', () => resolve(Buffer.concat(chunks)));
    // An incomplete body is rejected, even if it would parse.
    const breakOff = () => reject(new ApiError(400, 'The body is incomplete'));
    req.on('error', breakOff);
    req.on('close', breakOff);
  });
}

/**
 * Closing while the caller is still sending would reset the connection before the caller could read the
 * reason. A caller that sends too much or for too long is disconnected.
 */
function discard(req: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  const cutOff = () => req.socket.destroy();
  const timer = setTimeout(cutOff, DISCARD_WITHIN_MS);
  const finish = () => {
    clearTimeout(timer);
    resolve();
  };
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) cutOff();
  });
  req.once('end', finish);
  req.once('close', finish);
  req.on('error', cutOff);
  req.resume();
  return promise;
}
