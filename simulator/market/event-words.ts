// Titles, slugs and rules of count events, in the market's format.

import type { CountingRule } from '../../src/domain/counting-rule.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { civilDay, easternClock, easternDayNumber } from '../eastern-time.ts';
import type { CountSlot } from '../event-calendar.ts';

export function eventTitle(account: SimulatorAccountParameters, slot: CountSlot): string {
  const { monthName, year } = civilDay(slot.dayNumber);
  if (slot.variant === 'mention') return `What words will ${account.displayName} mention ${dateSpan(slot)}?`;
  if (slot.family === 'month') return `${account.displayName} # ${account.postNoun} in ${monthName} ${year}?`;
  return `${account.displayName} # ${account.postNoun} ${dateSpan(slot)}, ${endDay(slot).year}?`;
}

export function eventSlug(account: SimulatorAccountParameters, slot: CountSlot): string {
  const name = account.displayName.toLowerCase().replaceAll(' ', '-');
  const span = dateSpan(slot).toLowerCase().replaceAll(' - ', '-').replaceAll(' ', '-');
  const { monthName, year } = civilDay(slot.dayNumber);
  if (slot.variant === 'mention') return `${name}-tweet-mention-${span}`;
  const stem = `${name}-of-${account.postNoun}`;
  if (slot.family === 'month') return `${stem}-${monthName.toLowerCase()}-${year}`;
  const slug = account.hasYearInSlugs ? `${stem}-${span}-${endDay(slot).year}` : `${stem}-${span}`;
  if (slot.variant === 'archived') return `arch-${slug}`;
  return slot.variant === 'add-on' ? `${slug}-higher-brackets` : slug;
}

export function eventRules(account: SimulatorAccountParameters, slot: CountSlot): string {
  const platform = account.platform === 'X' ? 'X' : 'its platform';
  const who = `${account.displayName} (@${account.handle})`;
  if (slot.variant === 'mention') {
    return `Each market resolves to "Yes" if ${who} uses the listed word in a post on ${platform} ${rulesSpan(slot)}. Otherwise it resolves to "No".`;
  }
  return [
    `This market will resolve according to the number of times ${who} posts on ${platform} ${rulesSpan(slot)}.`,
    `For the purposes of this market, ${describeCounted(account.countingRule)} Deleted posts count as long as they remain available long enough (about 5 minutes) to be captured by the tracker. Community reposts which are not counted by the tracker do not count.`,
    'The resolution source is the "Post Counter" figure of the post tracker. If the tracker does not update correctly in accordance with the rules, the platform itself may be used as a secondary source.',
  ].join('\n\n');
}

function describeCounted(rule: CountingRule): string {
  const kinds = [
    rule.originals ? 'main feed posts' : null,
    rule.quotes ? 'quote posts' : null,
    rule.reposts ? 'reposts' : null,
    rule.replies ? 'replies' : null,
  ].filter((kind) => kind !== null);
  const listed = [kinds.slice(0, -1).join(', '), kinds.at(-1)].filter((part) => part !== '').join(' and ');
  if (rule.replies) return `only ${listed} count.`;
  const replies = rule.selfReplies
    ? 'Replies do not count; replies that are recorded on the main feed by the tracker do count.'
    : 'Replies do not count.';
  return `only ${listed} count. ${replies}`;
}

function rulesSpan(slot: CountSlot): string {
  const start = civilDay(slot.dayNumber);
  if (slot.family === 'month') return `during the month of ${start.monthName} ${start.year}, ET`;
  const end = endDay(slot);
  const [from, to] = [easternClock(slot.window.startTs), easternClock(slot.window.endTs)];
  return `from ${start.monthName} ${start.day}, ${start.year}, ${from} ET to ${end.monthName} ${end.day}, ${end.year}, ${to} ET`;
}

function dateSpan(slot: CountSlot): string {
  const start = civilDay(slot.dayNumber);
  const end = endDay(slot);
  return `${start.monthName} ${start.day} - ${end.monthName} ${end.day}`;
}

function endDay(slot: CountSlot): ReturnType<typeof civilDay> {
  return civilDay(easternDayNumber(slot.window.endTs));
}

export function marketSlug(slug: string, label: string): string {
  const text = label
    .replaceAll('–', '-')
    .replaceAll(',', '')
    .replace(/^<(\d+)$/, (_, bound: string) => `0-${Number(bound) - 1}`)
    .replace('+', '-plus');
  return `${slug}-${text.toLowerCase().replaceAll(' ', '-').replaceAll('$', '')}`;
}

export function marketQuestion(account: SimulatorAccountParameters, title: string, label: string): string {
  const when = title.replace(/^.*# (tweets|posts) /, '').replace('?', '');
  return `Will ${account.displayName} post ${label} ${account.postNoun} ${when}?`;
}
