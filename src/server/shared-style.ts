// The dashboard's own style sheets and font, for the pages that are not part of its build: the API reference and setup.

import { readFileSync } from 'node:fs';

export interface StyleFile {
  path: string;
  type: string;
  bytes: Buffer;
}

const SHEETS = ['tokens', 'base', 'shell', 'parts', 'pages'];
const FONT = 'fonts/geist-latin.woff2';

/** The sheet names the font relative to itself, so the paths mirror the source folders. */
export function readSharedStyle(): StyleFile[] {
  const read = (file: string) => readFileSync(new URL(`../../web/src/${file}`, import.meta.url));
  const sheet = Buffer.concat(SHEETS.map((name) => read(`styles/${name}.css`)));
  return [
    { path: '/styles/site.css', type: 'text/css; charset=utf-8', bytes: sheet },
    { path: `/${FONT}`, type: 'font/woff2', bytes: read(FONT) },
  ];
}
