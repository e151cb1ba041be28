// What is set per account.

import { PLATFORMS, type Platform } from '../../domain/account.ts';
import type { Setting } from '../setting-declaration.ts';
import {
  POST_SOURCE_KINDS,
  POST_SOURCE_PATTERN,
  SEGMENT_ALLOWED,
  SEGMENT_PATTERN,
  URL_PATTERN,
} from './patterns.ts';

/** Accounts that variables can describe; more are described in the file's list. */
export const SHORT_FORM_LETTERS = ['A', 'B'] as const;

export function accountSettings<L extends string>(letter: L, segment: string, platform: Platform) {
  const name = <S extends string>(suffix: S) => `ACCOUNT_${letter}_${suffix}` as const;
  return [
    {
      isShorthand: true,
      name: name('SEGMENT'),
      kind: 'string',
      default: segment,
      pattern: SEGMENT_PATTERN,
      allowed: SEGMENT_ALLOWED,
      description: `Path segment of account ${letter}.`,
    },
    {
      isShorthand: true,
      name: name('HANDLE'),
      kind: 'string',
      default: null,
      description: `Handle of account ${letter} on its platform.`,
    },
    {
      isShorthand: true,
      name: name('PLATFORM'),
      kind: 'choice',
      choices: PLATFORMS,
      default: platform,
      description: `Platform of account ${letter}.`,
    },
    {
      isShorthand: true,
      name: name('PLATFORM_USER_ID'),
      kind: 'string',
      default: null,
      description: `Numeric id of account ${letter} on its platform.`,
    },
    {
      isShorthand: true,
      name: name('SERIES'),
      kind: 'list',
      default: [],
      description: `Market series in which events of account ${letter} are found.`,
    },
    {
      isShorthand: true,
      name: name('TAG_ID'),
      kind: 'string',
      default: null,
      description: `Market tag to list events of account ${letter} by, in place of one call per series.`,
    },
    {
      isShorthand: true,
      name: name('SLUG_PREFIX'),
      kind: 'string',
      default: null,
      description: `Events whose slug begins so belong to account ${letter} as well.`,
    },
    {
      isShorthand: true,
      name: name('ORACLE_PLATFORM'),
      kind: 'string',
      default: null,
      description: `Platform of account ${letter} as the oracle spells it, where it differs from the usual.`,
    },
    {
      isShorthand: true,
      name: name('COUNT_SELF_REPLIES'),
      kind: 'boolean',
      default: true,
      description: `Whether replies of account ${letter} to itself count.`,
    },
    {
      isShorthand: true,
      name: name('SELF_REPLY_ROOTS'),
      kind: 'choice',
      choices: ['own', 'any'],
      default: 'own',
      description: `In whose conversations replies of account ${letter} to itself count.`,
    },
    {
      isShorthand: true,
      name: name('POST_SOURCES'),
      kind: 'list',
      default: [],
      pattern: POST_SOURCE_PATTERN,
      allowed: `a list of ${POST_SOURCE_KINDS.join(', ')}`,
      description: `Where posts of account ${letter} are read, best first; left empty, its platform where that is set up, then the oracle's list.`,
    },
    {
      isShorthand: true,
      name: name('RSS_URL'),
      kind: 'string',
      default: null,
      pattern: URL_PATTERN,
      allowed: 'http(s)://host/path',
      description: `RSS feed of a mirror of account ${letter}.`,
    },
    {
      isShorthand: true,
      name: name('ARCHIVE_URL'),
      kind: 'string',
      default: null,
      pattern: URL_PATTERN,
      allowed: 'http(s)://host/path',
      description: `JSON archive of posts of account ${letter}, for the past only.`,
    },
    {
      isShorthand: true,
      name: name('COUNT_REPLIES'),
      kind: 'boolean',
      default: false,
      description: `Whether other replies of account ${letter} count.`,
    },
  ] as const satisfies readonly Setting[];
}
