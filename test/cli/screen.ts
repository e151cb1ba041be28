// What a terminal shows after it was drawn on: enough of one for lines, returns and cleared lines.

const ESCAPE = String.fromCharCode(27);
const CLEAR_LINE_END = `${ESCAPE}[K`;
const STYLE = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

export function readScreen(drawn: string): string[] {
  return drawn
    .replaceAll('\r\n', '\n')
    .replaceAll(STYLE, '')
    .split('\n')
    .map((line) => line.split('\r').reduce(overwrite, '').trimEnd());
}

function overwrite(shown: string, piece: string): string {
  if (piece.startsWith(CLEAR_LINE_END)) return piece.slice(CLEAR_LINE_END.length);
  return piece + shown.slice(piece.length);
}
