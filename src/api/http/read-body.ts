// The bytes of a request body, bounded.

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../error-responses.ts';

/** null when the body is larger than allowed; what is left of it is not read. */
export function readBytes(req: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limitBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        req.pause();
        resolve(null);
      } else chunks.push(chunk);
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    // Half a body is no body, whatever it would parse to.
    const breakOff = () => reject(new ApiError(400, 'The body broke off'));
    req.on('error', breakOff);
    req.on('close', breakOff);
  });
}
