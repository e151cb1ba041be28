// Parses JSON and reports errors and their positions like Python's json.loads. Unlike Python, it rejects NaN
// and the infinities, which are not JSON.

export class JsonFault extends Error {
  /** Index in characters (code points), not in UTF-16 units. */
  readonly position: number;

  constructor(message: string, text: string, unitIndex: number) {
    super(message);
    this.name = 'JsonFault';
    this.position = [...text.slice(0, unitIndex)].length;
  }
}

/** Thrown if the bytes are not text, nest too deep, or contain a huge number. */
export class UnreadableBody extends Error {}

const MAX_DEPTH = 900;
const MAX_INT_DIGITS = 4300;
const SPACE = /[ \t\n\r]*/y;
const WORD = /null|true|false/y;
const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;

export function parsePythonJson(bytes: Buffer): unknown {
  const text = decodeBytes(bytes);
  if (hasHugeNumber(text) || countOpenings(text) > MAX_DEPTH) new FaultFinder(text).checkDocument();
  try {
    return JSON.parse(text);
  } catch (error) {
    new FaultFinder(text).checkDocument();
    throw error;
  }
}

/** A loop, because a regular expression would restart its match at every digit. */
function hasHugeNumber(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    digits = unit >= 48 && unit <= 57 ? digits + 1 : 0;
    if (digits === MAX_INT_DIGITS) return true;
  }
  return false;
}

/** The number of opening brackets is an upper bound on the nesting depth. */
function countOpenings(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) count += 1;
  }
  return count;
}

/** Like json.detect_encoding: uses the byte order mark, otherwise the pattern of zero bytes at the start. */
function decodeBytes(bytes: Buffer): string {
  const encoding = detectEncoding(bytes);
  try {
    if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, encoding === 'utf-32be');
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableBody('not text');
  }
}

function detectEncoding(b: Buffer): string {
  const head = b.subarray(0, 4).toString('hex');
  if (head === '0000feff') return 'utf-32be';
  if (head === 'fffe0000') return 'utf-32le';
  if (head.startsWith('feff')) return 'utf-16be';
  if (head.startsWith('fffe')) return 'utf-16le';
  if (head.startsWith('efbbbf')) return 'utf-8';
  if (b.length >= 4) {
    if (b[0] === 0) return b[1] !== 0 ? 'utf-16be' : 'utf-32be';
    if (b[1] === 0) return b[2] !== 0 || b[3] !== 0 ? 'utf-16le' : 'utf-32le';
  } else if (b.length === 2) {
    if (b[0] === 0) return 'utf-16be';
    if (b[1] === 0) return 'utf-16le';
  }
  return 'utf-8';
}

function decodeUtf32(bytes: Buffer, isBigEndian: boolean): string {
  if (bytes.length % 4 !== 0) throw new RangeError('truncated');
  let text = '';
  for (let i = 0; i < bytes.length; i += 4) {
    const point = isBigEndian ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i);
    if (i === 0 && point === 0xfeff) continue;
    text += String.fromCodePoint(point);
  }
  return text;
}

/** Scans the text like Python's parser and throws at the first fault. */
class FaultFinder {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  checkDocument(): void {
    this.#match(SPACE);
    this.#checkValue();
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#fail('Extra data');
  }

  #fail(message: string, at = this.#at): never {
    throw new JsonFault(message, this.#text, at);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  #take(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #checkValue(): void {
    if (this.#take('{')) this.#checkNested('}', () => this.#checkMember());
    else if (this.#take('[')) this.#checkNested(']', () => this.#checkValue());
    else if (this.#text[this.#at] === '"') this.#checkString();
    else if (!this.#match(WORD)) this.#checkNumber();
  }

  #checkNested(end: string, checkItem: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new UnreadableBody('nested too deep');
    this.#match(SPACE);
    if (!this.#take(end)) {
      do {
        this.#match(SPACE);
        checkItem();
        this.#match(SPACE);
      } while (this.#take(','));
      if (!this.#take(end)) this.#fail("Expecting ',' delimiter");
    }
    this.#depth -= 1;
  }

  #checkMember(): void {
    if (this.#text[this.#at] !== '"') this.#fail('Expecting property name enclosed in double quotes');
    this.#checkString();
    this.#match(SPACE);
    if (!this.#take(':')) this.#fail("Expecting ':' delimiter");
    this.#match(SPACE);
    this.#checkValue();
  }

  #checkNumber(): void {
    const match = this.#match(NUMBER) ?? this.#fail('Expecting value');
    const [, digits, fraction, exponent] = match;
    const isInteger = fraction === undefined && exponent === undefined;
    if (isInteger && digits!.length > MAX_INT_DIGITS) throw new UnreadableBody('integer too long');
  }

  #checkString(): void {
    const begin = this.#at;
    this.#at += 1;
    while (!this.#take('"')) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code)) this.#fail('Unterminated string starting at', begin);
      if (code < 0x20) this.#fail('Invalid control character at');
      if (this.#take('\\')) this.#checkEscape(begin);
      else this.#at += 1;
    }
  }

  /** `#at` is after the backslash. */
  #checkEscape(begin: number): void {
    const letter = this.#text[this.#at] ?? this.#fail('Unterminated string starting at', begin);
    if (letter === 'u') {
      const hex = this.#text.slice(this.#at + 1, this.#at + 5);
      // Python's parser also requires a character after the four digits.
      const isWhole = /^[0-9a-fA-F]{4}$/.test(hex) && this.#at + 5 < this.#text.length;
      if (!isWhole) this.#fail('Invalid \\uXXXX escape');
      this.#at += 4;
    } else if (!'"\\/bfnrt'.includes(letter)) this.#fail('Invalid \\escape', this.#at - 1);
    this.#at += 1;
  }
}
