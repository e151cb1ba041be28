// Account settings.

import { PLATFORMS, type Platform } from '../../domain/account.ts';
import type { Setting } from '../setting-declaration.ts';
import {
  POST_SOURCE_KINDS,
  POST_SOURCE_PATTERN,
  SEGMENT_ALLOWED,
  SEGMENT_PATTERN,
  URL_PATTERN,
} from './patterns.ts';

/** Accounts that variables can configure; more accounts need the file's list. */
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
      description: `Market series that contain account ${letter}'s events.`,
    },
    {
      isShorthand: true,
      name: name('TAG_ID'),
      kind: 'string',
      default: null,
      description: `Market tag that lists account ${letter}'s events, instead of one call per series.`,
    },
    {
      isShorthand: true,
      name: name('SLUG_PREFIX'),
      kind: 'string',
      default: null,
      description: `Events with this slug prefix also belong to account ${letter}.`,
    },
    {
      isShorthand: true,
      name: name('ORACLE_PLATFORM'),
      kind: 'string',
      default: null,
      description: `Platform name of account ${letter} as the oracle spells it, if it differs.`,
    },
    {
      isShorthand: true,
      name: name('COUNT_SELF_REPLIES'),
      kind: 'boolean',
      default: true,
      description: `Whether account ${letter}'s self-replies count.`,
    },
    {
      isShorthand: true,
      name: name('SELF_REPLY_ROOTS'),
      kind: 'choice',
      choices: ['own', 'any'],
      default: 'own',
      description: `Whether account ${letter}'s self-replies count only in its own conversations or in any.`,
    },
    {
      isShorthand: true,
      name: name('POST_SOURCES'),
      kind: 'list',
      default: [],
      pattern: POST_SOURCE_PATTERN,
      allowed: `a list of ${POST_SOURCE_KINDS.join(', ')}`,
      description: `Post sources of account ${letter}, best first; default: its platform if configured, then the oracle's list.`,
    },
    {
      isShorthand: true,
      name: name('RSS_URL'),
      kind: 'string',
      default: null,
      pattern: URL_PATTERN,
      allowed: 'http(s)://host/path',
      description: `RSS feed that mirrors account ${letter}.`,
    },
    {
      isShorthand: true,
      name: name('ARCHIVE_URL'),
      kind: 'string',
      default: null,
      pattern: URL_PATTERN,
      allowed: 'http(s)://host/path',
      description: `JSON archive of account ${letter}'s posts, used only for backfill.`,
    },
    {
      isShorthand: true,
      name: name('COUNT_REPLIES'),
      kind: 'boolean',
      default: false,
      description: `Whether account ${letter}'s other replies count.`,
    },
  ] as const satisfies readonly Setting[];
}
