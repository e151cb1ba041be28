// Neutral post texts without opinions or names, derived from the post, so that nothing is stored.

import { hashNumbers, pickFrom } from '../chance.ts';
import type { SimulatorPost } from './simulator-post.ts';

const OPENERS = [
  'Note',
  'Update',
  'Reminder',
  'Short answer',
  'Question',
  'Progress',
  'Observation',
  'Correction',
];
const SUBJECTS = [
  'the morning schedule',
  'the test bench',
  'a long night of measurements',
  'the new release',
  'traffic on the bridge',
  'the garden',
  'weather at the site',
  'the second prototype',
  'a chart worth reading',
  'the library',
];
const ENDS = [
  'looks good',
  'is on track',
  'needs more work',
  'was worth the wait',
  'surprised everyone',
  'is done',
];
const OTHERS = ['harbor_notes', 'north_window', 'paper_lantern', 'quiet_meter', 'slow_river', 'tin_compass'];

export function postText(post: SimulatorPost, version: number): string {
  const salt = hashNumbers(Number(post.id.slice(-9)), 0);
  const unit = (part: number) => hashNumbers(salt, part) / 4294967296;
  const clause = (part: number) => `${pickFrom(SUBJECTS, unit(part))} ${pickFrom(ENDS, unit(part + 1))}`;
  // Two clauses, so that posts from the same hour rarely resemble each other by chance.
  const first = `${pickFrom(OPENERS, unit(1))}: ${clause(2)}, ${clause(4)}.`;
  // An edit corrects or adds a word.
  const body = version === 0 ? first : `${first} (mended ${version === 1 ? 'once' : `${version} times`})`;
  const other = otherHandle(post);
  if (post.kind === 'repost') return `RT @${other}: ${body}`;
  if (post.kind === 'reply' || post.conversation === 'other') return `@${other} ${body}`;
  if (post.kind === 'quote') return `${body} https://t.co/${salt.toString(36).padStart(7, '0')}`;
  return body;
}

/** The account being replied to, quoted or reposted. */
export function otherHandle(post: SimulatorPost): string {
  return pickFrom(OTHERS, hashNumbers(Number(post.id.slice(-9)), 77) / 4294967296);
}

export function otherUserId(post: SimulatorPost): string {
  return String(5_000_001 + OTHERS.indexOf(otherHandle(post)));
}
