// Rejects request heads that Node would accept: two Host headers indicate request smuggling, and Node
// silently drops header lines beyond a thousand.

/** A browser behind two proxies sends about 40. */
export const MAX_HEADER_LINES = 256;

export interface HeadFault {
  status: 400 | 431;
  detail: string;
}

/** `rawHeaders` contains alternating names and values. */
export function findHeadFault(rawHeaders: readonly string[]): HeadFault | null {
  if (rawHeaders.length > 2 * MAX_HEADER_LINES)
    return { status: 431, detail: `More than ${MAX_HEADER_LINES} header lines` };
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? { status: 400, detail: 'More than one Host header' } : null;
}
