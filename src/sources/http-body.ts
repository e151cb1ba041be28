// Reads response bodies of unknown length.

import { SourceError } from '../runtime/errors.ts';

/** Far longer than any message of a line-by-line stream. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

export async function readCapped(response: Response, maxBytes: number, name: string): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body, so the rest is never fetched or decompressed.
    if (bytes > maxBytes) {
      throw new SourceError(`${name}: response larger than ${maxBytes} bytes`, {
        isRetryable: false,
        status: response.status,
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export async function readLines(
  response: Response,
  onLine: (line: string) => void,
  name: string,
): Promise<void> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const text = decoder.decode(chunk, { stream: true });
    // Append to an unfinished line without searching it again, which would take quadratic time.
    const lines = text.includes('\n') ? (rest + text).split('\n') : [rest + text];
    rest = lines.pop()!;
    if (rest.length > MAX_LINE_LENGTH) {
      throw new SourceError(`${name}: a line longer than ${MAX_LINE_LENGTH} characters`, {
        isRetryable: true,
      });
    }
    for (const line of lines) onLine(line.trim());
  }
  // Text after the last line break is dropped, because that line was cut off.
}

/** Decoded text as it arrives; the next chunk waits until the previous one has been consumed. */
export async function readPieces(
  response: Response,
  onPiece: (text: string) => void | Promise<void>,
  maxBytes: number,
  name: string,
): Promise<void> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new SourceError(`${name}: response larger than ${maxBytes} bytes`, { isRetryable: false });
    await onPiece(decoder.decode(chunk, { stream: true }));
  }
  await onPiece(decoder.decode());
}
