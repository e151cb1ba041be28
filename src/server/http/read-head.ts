// Reads the few request headers that every response depends on, in one pass over the raw list without
// building the header object. Duplicates are joined by a comma, as in Node.

export interface RequestHead {
  apiKey: string;
  accept: string;
  acceptEncoding: string;
  ifNoneMatch: string;
  forwardedFor: string;
}

export function readHead(raw: readonly string[], into: RequestHead): void {
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    // Comparing lengths first avoids case folding for nearly all names.
    switch (name.length) {
      case 6:
        if (name.toLowerCase() === 'accept') into.accept = join(into.accept, raw[i + 1]!);
        break;
      case 9:
        if (name.toLowerCase() === 'x-api-key') into.apiKey = join(into.apiKey, raw[i + 1]!);
        break;
      case 13:
        if (name.toLowerCase() === 'if-none-match') into.ifNoneMatch = join(into.ifNoneMatch, raw[i + 1]!);
        break;
      case 15:
        readLong(name, raw[i + 1]!, into);
        break;
    }
  }
}

function readLong(name: string, value: string, into: RequestHead): void {
  const folded = name.toLowerCase();
  if (folded === 'accept-encoding') into.acceptEncoding = join(into.acceptEncoding, value);
  else if (folded === 'x-forwarded-for') into.forwardedFor = join(into.forwardedFor, value);
}

function join(before: string, value: string): string {
  return before === '' ? value : `${before}, ${value}`;
}
