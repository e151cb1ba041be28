// Converts text to a number or boolean exactly like pydantic's lax mode. Tested against pydantic.

/** pydantic rejects longer strings without parsing. */
const MAX_INT_CHARACTERS = 4300;

/** Unicode White_Space, which is not what String.prototype.trim removes (U+0085 yes, U+FEFF no). */
const WHITE_SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

const ZERO_FRACTION = /\.0+$/;
const WHOLE = /^-?\d+$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const FLOAT_WORD = /^([+-]?)(inf|infinity|nan)$/i;

const TRUE_WORDS = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

export function parseLaxInt(text: string): number | 'int_parsing' | 'int_parsing_size' {
  const bare = withoutOuterSpace(text)
    .replace(ZERO_FRACTION, '')
    .replace(/^\+(?!-)/, '');
  const significant = withoutLeadingZeros(bare);
  if (significant === null || significant.startsWith('-_')) return 'int_parsing';
  const digits = withoutUnderscores(significant);
  if (!WHOLE.test(digits)) return 'int_parsing';
  if (digits.length > MAX_INT_CHARACTERS) return 'int_parsing_size';
  // Adding zero turns -0 into 0.
  return Number(digits) + 0;
}

/** Drops leading zeros and underscores; like pydantic, accepts a minus sign after them. */
function withoutLeadingZeros(text: string): string | null {
  if (/^[1-9-]/.test(text)) return text;
  if (!text.startsWith('0')) return null;
  const rest = text.replace(/^[0_]+/, '');
  if (rest === '') return text.slice(-1);
  return /^[1-9-]/.test(rest) ? rest : null;
}

/** Accepts NaN and the infinities, which the bounds check rejects. null if the text is not a number. */
export function parseLaxFloat(text: string): number | null {
  // Like pydantic, allows underscores only if the text is not a plain number, and then does not trim spaces.
  return parsePlainFloat(withoutOuterSpace(text)) ?? parsePlainFloat(withoutUnderscores(text));
}

function parsePlainFloat(text: string): number | null {
  const word = FLOAT_WORD.exec(text);
  if (!word) return FLOAT.test(text) ? Number(text) : null;
  if (word[2]!.toLowerCase() === 'nan') return Number.NaN;
  return word[1] === '-' ? -Infinity : Infinity;
}

export function parseLaxBool(text: string): boolean | null {
  const word = text.toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

/** Scans from both ends, because a regular expression would rescan long runs of inner spaces. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text[start]!)) start += 1;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** Underscores may separate digits, but not lead, trail or repeat. */
function withoutUnderscores(text: string): string {
  if (!text.includes('_') || text.startsWith('_') || text.endsWith('_') || text.includes('__')) return text;
  return text.replaceAll('_', '');
}
