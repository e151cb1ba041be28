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

/** Thrown if the bytes are not text, or if faulty text nests too deep. */
export class UnreadableBody extends Error {}

/** Bounds the recursion of the scan. */
const MAX_DEPTH = 900;
const SPACE = /[ \t\n\r]*/y;
const WORD = /null|true|false/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

export function parsePythonJson(bytes: Buffer): unknown {
  const text = decodeBytes(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    new FaultFinder(text).checkDocument();
    throw error;
  }
}

/** Like json.loads for UTF-8 and, with a byte order mark, little-endian UTF-16. */
function decodeBytes(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableBody('not text');
  }
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
    else if (!this.#match(WORD) && !this.#match(NUMBER)) this.#fail('Expecting value');
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
