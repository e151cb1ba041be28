// A minimal terminal emulator: lines, carriage returns, cleared lines and npm's spinner.

const ESCAPE = String.fromCharCode(27);
const STYLE_OR_MODE = new RegExp(`${ESCAPE}\\[[?\\d;]*[mhl]`, 'g');
const FIRST_COLUMN = new RegExp(`${ESCAPE}\\[1?G`, 'g');
const CLEAR_LINE_END = new RegExp(`^${ESCAPE}\\[0?K`);

export function readScreen(drawn: string): string[] {
  return drawn
    .replaceAll('\r\n', '\n')
    .replaceAll(STYLE_OR_MODE, '')
    .replaceAll(FIRST_COLUMN, '\r')
    .split('\n')
    .map((line) => line.split('\r').reduce(overwrite, '').trimEnd());
}

function overwrite(shown: string, piece: string): string {
  const rest = piece.replace(CLEAR_LINE_END, '');
  return rest.length < piece.length ? rest : piece + shown.slice(piece.length);
}
