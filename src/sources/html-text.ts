// Converts status HTML to plain text in one linear pass: drops tags, keeps line breaks, decodes entities.

const MAX_HTML_LENGTH = 200_000;

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
};

export function htmlToText(html: string): string {
  return html
    .slice(0, MAX_HTML_LENGTH)
    .replace(/<(?:br\b[^<>]*|\/p\b[^<>]*)>/gi, (tag) => (tag[1] === '/' ? '\n\n' : '\n'))
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, decodeEntity)
    .trim();
}

function decodeEntity(whole: string, name: string): string {
  if (name[0] !== '#') return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
  const code = name[1]!.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}
