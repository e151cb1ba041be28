// Assigns texts to areas and finds marked words in them. Every area has a budget in language-budgets.json.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_GRAMMAR, MARKED_WORDS, type MarkedWord, OLD_NAMES } from './marked-words.ts';
import {
  listIdentifierWords,
  listLogMessages,
  listProse,
  type Piece,
  splitSource,
  splitWords,
} from './source-text.ts';

export interface Finding {
  area: string;
  path: string;
  line: number;
  word: string;
  instead: string;
}

export interface TextFile {
  path: string;
  text: string;
}

/** Word lists, the check itself and generated files are not prose. */
const EXEMPT =
  /(^|\/)(node_modules|dist|generated|fixtures|recordings)\/|(marked-words|language-areas|source-text|language\.test)\.ts$|openapi\.json$/;

/** Values in published responses. */
const PUBLISHED_VALUES = /(['"])(?:dark)\1/g;

const UI = /^web\//;
const CLI = /^(?:src\/(?:cli|bin)|lab\/commands)\//;
const API = /^src\/(?:api|access|payments|alerts|contract|server)\//;

export function readAll(folder = '.'): TextFile[] {
  return globSync(
    [
      '*.md',
      '{src,lab,simulator,web,packages,scripts,examples,test,bin,docs,deploy}/**/*.{ts,tsx,mjs,py,html,css,md,yml,yaml}',
    ],
    {
      cwd: folder,
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !EXEMPT.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

export function findMarked(files: readonly TextFile[]): Finding[] {
  return files.flatMap((file) => (file.path.endsWith('.md') ? searchPage(file) : searchSource(file)));
}

function searchPage({ path, text }: TextFile): Finding[] {
  return search(path === 'CHANGELOG.md' ? 'changelog' : 'docs', path, listProse(text), MARKED_WORDS);
}

function searchSource({ path, text }: TextFile): Finding[] {
  const source = splitSource(path, text);
  const found = search(`comments ${roomOf(path)}`, path, source.comments, MARKED_WORDS);
  if (isTest(path)) return [...found, ...search('test texts', path, source.strings, MARKED_WORDS)];
  return [
    ...found,
    ...search(textArea(path), path, UI.test(path) ? source.lines : source.strings, MARKED_WORDS),
    ...search('log texts', path, listLogMessages(path, text), [...MARKED_WORDS, ...LOG_GRAMMAR]),
    ...findOldNames(path, listIdentifierWords(source)),
  ];
}

function textArea(path: string): string {
  if (UI.test(path)) return 'ui texts';
  if (CLI.test(path)) return 'cli texts';
  return API.test(path) ? 'api texts' : 'other texts';
}

function search(
  area: string,
  path: string,
  pieces: readonly Piece[],
  words: readonly MarkedWord[],
): Finding[] {
  return pieces.flatMap((piece) =>
    words.flatMap(({ name, pattern, instead }) =>
      [...piece.text.replaceAll(PUBLISHED_VALUES, '').matchAll(pattern)].map(() => ({
        area,
        path,
        line: piece.line,
        word: name,
        instead,
      })),
    ),
  );
}

function findOldNames(path: string, words: readonly Piece[]): Finding[] {
  const ofPath = splitWords(path.replace(/\.\w+$/, '')).map((text) => ({ line: 1, text }));
  return [...ofPath, ...words]
    .filter(({ text }) => OLD_NAMES.has(text))
    .map(({ line, text }) => ({
      area: 'identifiers',
      path,
      line,
      word: text,
      instead: OLD_NAMES.get(text)!,
    }));
}

function isTest(path: string): boolean {
  return /\.test(-support)?\.|^test\/|\/test_|\/tests?\//.test(path);
}

/** src/trade, lab, web, test ... */
export function roomOf(path: string): string {
  const [top, second] = path.split('/');
  return top === 'src' || top === 'packages' ? `${top}/${second}` : top!;
}

export function countByArea(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { area } of findings) counts[area] = (counts[area] ?? 0) + 1;
  return counts;
}
