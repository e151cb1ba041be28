// Secrets that must never leave this process. Redaction is by value, not by field name, because a secret can
// appear in a library's error message.

const MASK = '[secret]';
/** Shorter secrets occur by chance in ordinary text, so they are redacted only inside URLs. */
const MIN_SECRET_LENGTH = 6;
/** A path segment or parameter this long is treated as a provider's key. */
const MIN_KEY_LENGTH = 12;

/** Process-wide, because several modules load secrets. */
const known = new Set<string>();
let pattern: RegExp | null = null;

export function rememberSecrets(values: Iterable<string | null | undefined>): void {
  for (const value of values) {
    if (value) for (const piece of piecesOf(value)) known.add(piece);
  }
  // Longest first, so that a whole URL is masked before its parts.
  const pieces = [...known].sort((left, right) => right.length - left.length);
  pattern = pieces.length === 0 ? null : new RegExp(pieces.map(escapePattern).join('|'), 'gi');
}

export function redact(text: string): string {
  return pattern === null ? text : text.replace(pattern, MASK);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Every form of a secret: the whole and its identifying parts, each also encoded for URLs and JSON. */
function piecesOf(secret: string): string[] {
  const parts = [secret, ...partsOfUrl(secret)].filter((part) => part.length >= MIN_SECRET_LENGTH);
  return [
    ...new Set(parts.flatMap((part) => [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1)])),
  ];
}

function partsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const { username, password } = url;
  const login = password === '' ? [] : [decode(password), password, `:${password}@`];
  // The encoded credentials of a Basic authorization header, which a service may echo.
  if (username !== '' || password !== '')
    login.push(Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64'));
  if (username !== '' && password === '') login.push(decode(username), `${username}@`);
  const keys = [...url.pathname.split('/'), ...url.searchParams.values()];
  return [...login, ...keys.filter((key) => key.length >= MIN_KEY_LENGTH)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The secret parts of a URL that is otherwise public. */
export function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password } = new URL(text);
  if (username === '' && password === '') return [];
  return [text, password, decode(password)].filter((part) => part !== '');
}
