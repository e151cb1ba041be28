// Checks that files, headings, commands and endpoints mentioned in the docs exist.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { LAB_COMMANDS } from '../lab/commands/all-lab-commands.ts';
import { COMMANDS } from '../src/cli/all-commands.ts';
import { describeInterface } from '../src/server/describe-interface.ts';

const pages = globSync(['*.md', '{docs,packages,examples}/**/*.md'], {
  exclude: ['**/node_modules/**', '**/dist/**'],
}).map((path) => ({ path, text: readFileSync(path, 'utf8') }));

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** Returns the broken links. */
function findBrokenLinks({ path, text }: { path: string; text: string }): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
  return links
    .filter((link) => !/^\w+:/.test(link))
    .filter((link) => {
      const [file, heading] = link.split('#');
      const target = file ? normalize(join(dirname(path), file)) : path;
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingsOf(readFileSync(target, 'utf8')).includes(heading);
    })
    .map((link) => `${path}: ${link}`);
}

describe('the docs', () => {
  it('link to existing files and headings', () => {
    assert.ok(pages.length > 20);
    assert.deepEqual(pages.flatMap(findBrokenLinks), []);
    assert.deepEqual(
      findBrokenLinks({ path: 'README.md', text: '[a](nowhere.md) [b](ARCHITECTURE.md#nowhere)' }),
      ['README.md: nowhere.md', 'README.md: ARCHITECTURE.md#nowhere'],
    );
  });

  it('mention only existing files', () => {
    const missing = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|test|docs|scripts|bench|deploy|packages|examples|web)\/[\w./-]+)`/g)]
        .map((match) => match[1]!)
        .filter((name) => !existsSync(name) && !existsSync(join(dirname(path), name)))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it('mention only existing commands, and docs/cli.md lists all of them', () => {
    const known = [
      ...COMMANDS.map(({ name }) => name),
      ...LAB_COMMANDS.map(({ name }) => `lab ${name}`),
      'lab',
    ];
    const unknown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npx tallycast (lab [a-z][\w-]*|[a-z][\w-]*)/g)]
        .filter((match) => !known.includes(match[1]!))
        .map((match) => `${path}: ${match[0]}`),
    );
    assert.deepEqual(unknown, []);
    const guide = readFileSync('docs/cli.md', 'utf8');
    assert.deepEqual(
      COMMANDS.map(({ name }) => name).filter((name) => !new RegExp(`\`${name}[\`\\s]`).test(guide)),
      [],
    );
  });

  it('mention every endpoint in the API guide', () => {
    const { paths } = describeInterface('test') as { paths: object };
    const short = Object.keys(paths).map((path) => path.replace('/api/v1', ''));
    const ofAccounts = short.filter((path) => !path.includes('account_b'));
    const guide = readFileSync('docs/api.md', 'utf8');
    const isNamed = (text: string, path: string) => {
      const [, room] = path.split('/');
      // In a list such as `/usage/summary`, `/errors`, later entries are path endings;
      // `/webhooks` covers all paths below it.
      const names = [path, path.slice(path.lastIndexOf('/'))].map((name) => `${name}\``);
      return [...names, `\`/${room}\``].some((name) => text.includes(name));
    };
    assert.deepEqual(
      ofAccounts.filter((path) => !isNamed(guide, path)),
      [],
    );
  });
});
