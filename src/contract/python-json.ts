// Parses JSON like Python's json.loads, so that position and wording of a fault are the same. NaN and the
// infinities, which Python accepts, are rejected: they are not JSON.

export class JsonFault extends Error {
  /** Index in characters (code points), not in UTF-16 units. */
  readonly position: number;

  constructor(message: string, text: string, unitIndex: number) {
    super(message);
    this.name = 'JsonFault';
    this.position = [...text.slice(0, unitIndex)].length;
  }
}

/** The bytes are not text, nest too deep, or contain a huge number: the parser gives up. */
export class UnreadableBody extends Error {}

const MAX_DEPTH = 900;
const MAX_INT_DIGITS = 4300;
const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?/y;

export function parsePythonJson(bytes: Buffer): unknown {
  const text = decodeBytes(bytes);
  // Text that JSON.parse accepts needs no second pass; anything else is parsed slowly, to find the fault.
  const quick = tryParse(text);
  return quick.ok ? quick.value : new Reader(text).readDocument();
}

function tryParse(text: string): { ok: true; value: unknown } | { ok: false } {
  if (hasHugeNumber(text) || countOpenings(text) > MAX_DEPTH) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** A loop instead of a regular expression, which would restart at every digit. */
function hasHugeNumber(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    digits = unit >= 48 && unit <= 57 ? digits + 1 : 0;
    if (digits === MAX_INT_DIGITS) return true;
  }
  return false;
}

/** Text cannot nest deeper than its number of opening brackets. */
function countOpenings(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) count += 1;
  }
  return count;
}

/** Like json.detect_encoding: a byte order mark, otherwise the pattern of zero bytes at the start. */
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

class Reader {
  readonly text: string;
  at = 0;
  depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  readDocument(): unknown {
    this.#skipSpace();
    const value = this.#readValue();
    this.#skipSpace();
    if (this.at !== this.text.length) this.#fail('Extra data', this.at);
    return value;
  }

  #fail(message: string, at: number): never {
    throw new JsonFault(message, this.text, at);
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
      this.at += 1;
    }
  }

  #readValue(): unknown {
    const { text, at } = this;
    switch (text[at]) {
      case '"':
        this.at += 1;
        return this.#readString();
      case '{':
        return this.#nested(() => this.#readObject());
      case '[':
        return this.#nested(() => this.#readArray());
      case 'n':
        return this.#readWord('null', null);
      case 't':
        return this.#readWord('true', true);
      case 'f':
        return this.#readWord('false', false);
      default:
        return this.#readNumber();
    }
  }

  #nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new UnreadableBody('nested too deep');
    this.at += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  #readWord(word: string, value: unknown): unknown {
    if (!this.text.startsWith(word, this.at)) this.#fail('Expecting value', this.at);
    this.at += word.length;
    return value;
  }

  #readNumber(): number {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) this.#fail('Expecting value', this.at);
    if (
      match[2] === undefined &&
      match[3] === undefined &&
      match[1]!.replace('-', '').length > MAX_INT_DIGITS
    ) {
      throw new UnreadableBody('integer too long');
    }
    this.at += match[0].length;
    return Number(match[0]);
  }

  #readObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#skipSpace();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return object;
    }
    for (;;) {
      if (this.text[this.at] !== '"') {
        this.#fail('Expecting property name enclosed in double quotes', this.at);
      }
      this.at += 1;
      const name = this.#readString();
      this.#skipSpace();
      if (this.text[this.at] !== ':') this.#fail("Expecting ':' delimiter", this.at);
      this.at += 1;
      this.#skipSpace();
      const value = this.#readValue();
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      this.#skipSpace();
      if (this.text[this.at] === '}') break;
      if (this.text[this.at] !== ',') this.#fail("Expecting ',' delimiter", this.at);
      this.at += 1;
      this.#skipSpace();
    }
    this.at += 1;
    return object;
  }

  #readArray(): unknown[] {
    const array: unknown[] = [];
    this.#skipSpace();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return array;
    }
    for (;;) {
      array.push(this.#readValue());
      this.#skipSpace();
      if (this.text[this.at] === ']') break;
      if (this.text[this.at] !== ',') this.#fail("Expecting ',' delimiter", this.at);
      this.at += 1;
      this.#skipSpace();
    }
    this.at += 1;
    return array;
  }

  /** `at` is after the opening quote. */
  #readString(): string {
    const begin = this.at - 1;
    let value = '';
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (Number.isNaN(code)) this.#fail('Unterminated string starting at', begin);
      if (code === 0x22) {
        this.at += 1;
        return value;
      }
      if (code < 0x20) this.#fail('Invalid control character at', this.at);
      if (code === 0x5c) {
        value += this.#readEscape(begin);
      } else {
        value += this.text[this.at];
        this.at += 1;
      }
    }
  }

  #readEscape(begin: number): string {
    const letter = this.text[this.at + 1];
    if (letter === undefined) this.#fail('Unterminated string starting at', begin);
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      // Python's parser needs a character after the four digits as well.
      if (!/^[0-9a-fA-F]{4}$/.test(hex) || this.at + 6 >= this.text.length) {
        this.#fail('Invalid \\uXXXX escape', this.at + 1);
      }
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = ESCAPES[letter];
    if (plain === undefined) this.#fail('Invalid \\escape', this.at);
    this.at += 2;
    return plain;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
