// Extracts tokens that can be part of a date from a title, slug or rules text. One linear pass, so no input
// can stall it.

export type DateToken =
  | { kind: 'month'; month: number }
  | { kind: 'number'; value: number; digits: number }
  /** Minutes after midnight. */
  | { kind: 'time'; minuteOfDay: number }
  | { kind: 'until' }
  | { kind: 'in' }
  | { kind: 'between' }
  /** A word that may occur in a date without changing it: of, on, at, the, ET. */
  | { kind: 'filler' }
  | { kind: 'other' };

/** Real rules texts have up to about 3,000 characters. */
const MAX_TEXT_LENGTH = 20_000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_WORD =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const UNTIL_WORDS = new Set(['to', 'through', 'until', 'till', 'and', '-']);
const IN_WORDS = new Set(['in', 'during']);
const FILLER_WORDS = new Set([
  'of',
  'on',
  'at',
  'the',
  'month',
  'et',
  'est',
  'edt',
  'eastern',
  'time',
  'from',
]);
const WORD =
  /\d{1,2}:\d{2}(?::\d{2})? ?(?:[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|\d+(?:st|nd|rd|th)?|[a-z]+|[-‐‑‒–—―−]/g;

export function readDateTokens(text: string): DateToken[] {
  const words = text.slice(0, MAX_TEXT_LENGTH).toLowerCase().match(WORD) ?? [];
  return words.map(readToken);
}

function readToken(word: string): DateToken {
  if (/^\d/.test(word)) return readFigure(word);
  if (MONTH_WORD.test(word)) return { kind: 'month', month: MONTHS.indexOf(word.slice(0, 3)) + 1 };
  if (/^[-‐‑‒–—―−]$/.test(word) || UNTIL_WORDS.has(word)) return { kind: 'until' };
  if (word === 'noon') return { kind: 'time', minuteOfDay: 720 };
  if (word === 'midnight') return { kind: 'time', minuteOfDay: 0 };
  if (word === 'between') return { kind: 'between' };
  if (IN_WORDS.has(word)) return { kind: 'in' };
  return { kind: FILLER_WORDS.has(word) ? 'filler' : 'other' };
}

function readFigure(word: string): DateToken {
  const time = /^(\d{1,2})(?::(\d{2})(?::\d{2})?)? ?([ap])?/.exec(word);
  if (time && (time[2] !== undefined || time[3] !== undefined)) return readTime(time);
  const digits = word.replace(/\D/g, '');
  return { kind: 'number', value: Number(digits.slice(0, 9)), digits: digits.length };
}

function readTime(match: RegExpExecArray): DateToken {
  const hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  const half = match[3];
  const isPossible = minute < 60 && (half ? hour >= 1 && hour <= 12 : hour <= 24);
  if (!isPossible) return { kind: 'other' };
  const hour24 = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour;
  return { kind: 'time', minuteOfDay: hour24 * 60 + minute };
}
