// Reads a file of any size line by line in bounded memory, even if a line never ends.

import { createReadStream } from 'node:fs';

export interface FileLine {
  number: number;
  text: string;
  /** The line was too long; `text` is its beginning. */
  isCut: boolean;
}

export async function* readFileLines(file: string, maxLength: number): AsyncGenerator<FileLine> {
  let begun = '';
  let isCut = false;
  let number = 1;

  function extend(piece: string): void {
    if (begun.length + piece.length > maxLength) isCut = true;
    begun += piece.slice(0, Math.max(0, maxLength - begun.length));
  }

  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      extend(chunk.slice(from, end));
      yield { number, text: begun, isCut };
      number += 1;
      begun = '';
      isCut = false;
      from = end + 1;
    }
    extend(chunk.slice(from));
  }
  if (begun !== '') yield { number, text: begun, isCut };
}
