// Parses a query string like Python's parse_qsl: the last duplicate wins, blanks and broken percent escapes
// are kept, and invalid UTF-8 becomes U+FFFD.

export function parseQueryString(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    values.set(decodePart(name), decodePart(value));
  }
  return values;
}

const ESCAPED_RUN = /(?:%[0-9a-fA-F]{2})+/g;

function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(ESCAPED_RUN, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}
