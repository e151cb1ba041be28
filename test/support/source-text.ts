// Splits source files into comments, string literals, log messages and identifiers. Pure.

export interface Piece {
  line: number;
  text: string;
}

export interface SourceText {
  comments: Piece[];
  strings: Piece[];
  /** The code by line with comments blanked out, because UI text includes JSX, which is not a literal. */
  lines: Piece[];
  /** The same, with literals blanked out too. */
  code: Piece[];
}

/** Regular expressions come before strings and comments, because they may contain quotes and slashes. */
const TOKEN = new RegExp(
  [
    String.raw`(?<=[=(,:;!&|?{}[\n]\s*|\breturn\s+)\/(?![*/])(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`,
    String.raw`(?<comment>\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*)`,
    String.raw`(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\[\s\S])*\x60)`,
  ].join('|'),
  'g',
);

const HASH_TOKEN =
  /(?<string>"""[\s\S]*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<comment>(?<=^|\s)#[^\n]*)/g;

export function splitSource(path: string, text: string): SourceText {
  const comments: Piece[] = [];
  const strings: Piece[] = [];
  const code: string[] = [];
  const withoutComments: string[] = [];
  const lineAt = countLines(text);
  let end = 0;
  for (const match of text.matchAll(/\.(py|sh|ya?ml)$/.test(path) ? HASH_TOKEN : TOKEN)) {
    const [token] = match;
    const piece = { line: lineAt(match.index), text: token };
    const { comment, string } = match.groups ?? {};
    if (string !== undefined) strings.push(piece);
    if (comment !== undefined) comments.push(piece);
    const between = text.slice(end, match.index);
    withoutComments.push(between, comment === undefined ? token : blank(token));
    code.push(between, blank(token));
    end = match.index + token.length;
  }
  withoutComments.push(text.slice(end));
  code.push(text.slice(end));
  return { comments, strings, lines: toLines(withoutComments.join('')), code: toLines(code.join('')) };
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function toLines(text: string): Piece[] {
  return text.split('\n').map((line, index) => ({ line: index + 1, text: line }));
}

const LOG_CALL = /\b(?:logger|log)\.(?:debug|info|warn|error)\(/g;

/** Finds the string literals passed to a logger. */
export function listLogMessages(path: string, text: string): Piece[] {
  const { lines } = splitSource(path, text);
  const code = lines.map((line) => line.text).join('\n');
  const lineAt = countLines(code);
  return [...code.matchAll(LOG_CALL)].flatMap(({ 0: call, index }) => {
    const argumentsAt = index + call.length;
    const body = code.slice(argumentsAt, findCallEnd(code, argumentsAt));
    return splitSource(path, body)
      .strings.filter((piece) => !isFieldValue(body, piece.text))
      .map((piece) => ({ line: lineAt(index), text: piece.text.slice(1, -1) }));
  });
}

/** Skips `what: 'text'`, which is a field of the log line, not its message. */
function isFieldValue(body: string, literal: string): boolean {
  return /[\w'"]\s*:\s*$/.test(body.slice(0, body.indexOf(literal)));
}

function findCallEnd(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  return code.length;
}

/** Splits every identifier into lower-case words: `createWorldServer` has create, world and server. */
export function listIdentifierWords({ code }: SourceText): Piece[] {
  return code.flatMap(({ line, text }) =>
    splitWords(text.replaceAll('light-dark(', '(')).map((word) => ({ line, text: word })),
  );
}

export function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Extracts the prose of a page, without fenced and inline code. */
export function listProse(markdown: string): Piece[] {
  let isFenced = false;
  return markdown.split('\n').flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) isFenced = !isFenced;
    if (isFenced) return [];
    return [{ line: index + 1, text: text.replaceAll(/`[^`]*`/g, '`') }];
  });
}

function countLines(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
