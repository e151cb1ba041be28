// Secrets that must never leave this process. Redaction is by value, not field name: a secret can appear inside a
// library's error message.

const MASK = '[secret]';
/** Shorter ones occur by chance in ordinary text; they are redacted only inside URLs. */
const LEAST_CHARACTERS = 6;
/** A path segment or parameter of this length is taken for a provider's key. */
const LEAST_KEY_CHARACTERS = 12;

/** Process-wide, because several modules read the configuration. */
const known = new Set<string>();
let pattern: RegExp | null = null;

export function rememberSecrets(values: Iterable<string | null | undefined>): void {
  for (const value of values) {
    if (value) for (const piece of piecesOf(value)) known.add(piece);
  }
  // Longest first, so that a whole URL is masked without leaving its ends.
  const pieces = [...known].sort((left, right) => right.length - left.length);
  pattern = pieces.length === 0 ? null : new RegExp(pieces.map(escapePattern).join('|'), 'gi');
}

export function redact(text: string): string {
  return pattern === null ? text : text.replace(pattern, MASK);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Every spelling of a secret: whole, its identifying parts, and each encoded for URLs and JSON. */
function piecesOf(secret: string): string[] {
  const parts = [secret, ...partsOfUrl(secret)].filter((part) => part.length >= LEAST_CHARACTERS);
  return [
    ...new Set(parts.flatMap((part) => [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1)])),
  ];
}

function partsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const { username, password } = url;
  const login = password === '' ? [] : [decode(password), password, `:${password}@`];
  // As sent to the service it belongs to, which may echo it.
  if (username !== '' || password !== '')
    login.push(Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64'));
  if (username !== '' && password === '') login.push(decode(username), `${username}@`);
  const keys = [...url.pathname.split('/'), ...url.searchParams.values()];
  return [...login, ...keys.filter((key) => key.length >= LEAST_KEY_CHARACTERS)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The secret parts of an ordinary address. */
export function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password } = new URL(text);
  if (username === '' && password === '') return [];
  return [text, password, decode(password)].filter((part) => part !== '');
}
