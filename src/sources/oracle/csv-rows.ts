// CSV text -> rows of cells with the line each begins on. Quotes may hold commas, quotes and line breaks.

export interface CsvRow {
  line: number;
  cells: string[];
}

export function* splitCsvRows(text: string): Generator<CsvRow> {
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let rowLine = 1;
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\n') line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',') {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') {
      yield { line: rowLine, cells: [...cells, cell.replace(/\r$/, '')] };
      [cells, cell, rowLine] = [[], '', line];
    } else cell += character;
  }
  if (cell !== '' || cells.length > 0) yield { line: rowLine, cells: [...cells, cell] };
}
