// The listing of a count event and its markets: texts, series, tags, book parameters.

import { DAY_MS } from '../../src/domain/units.ts';
import { hashLabel } from '../../src/runtime/random.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { chance } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import { eventRules, eventSlug, eventTitle, marketQuestion, marketSlug } from './event-words.ts';
import {
  type EventTag,
  identify,
  type ListedEvent,
  type ListedMarket,
  makeMarketId,
  versionOf,
} from './listed-event.ts';

const TWEET_TAG = { id: '972', label: 'Tweet Markets', slug: 'tweets-markets' };
const CULTURE_TAG = { id: '596', label: 'Culture', slug: 'pop-culture' };
const SERIES_IDS: Record<string, string> = {
  'account-a-tweets-48h': '10001',
  'account-a-tweets': '10002',
  'account-a-tweet-daily': '10003',
  'account-b-posts-48h': '10011',
  'account-b-posts': '10012',
  'account-b-posts-monthly': '10013',
};

export function listEvent(
  seedKey: number,
  parameters: SimulatorAccountParameters,
  slot: CountSlot,
): ListedEvent {
  const slug = eventSlug(parameters, slot);
  const days = (slot.window.endTs - slot.window.startTs) / DAY_MS;
  return {
    eventId: slot.eventId,
    version: versionOf(seedKey, slot.eventId),
    kind: slot.variant,
    accountId: slot.accountId,
    title: eventTitle(parameters, slot),
    slug,
    description: eventRules(parameters, slot),
    image: `https://images.example/${parameters.accountId}-${slot.family}.png`,
    listedTs: slot.listedTs,
    startTs: slot.window.startTs,
    endTs: slot.window.endTs,
    series: seriesOf(parameters, slot),
    tags: [TWEET_TAG, CULTURE_TAG, tagOf(parameters)],
    isNegRisk: slot.variant !== 'mention',
    isArchived: slot.variant === 'archived',
    fee: { type: 'culture_fees', rate: 0.05 },
    tick: parameters.market.tick,
    depthUsd: parameters.market.depthUsd,
    halfSpread: parameters.market.halfSpread,
    volumeUsd:
      parameters.market.weeklyVolumeUsd * Math.sqrt(days / 7) * (0.5 + chance(seedKey, slot.eventId, 83)),
  };
}

function seriesOf(parameters: SimulatorAccountParameters, slot: CountSlot): ListedEvent['series'] {
  const isMention = slot.variant === 'mention';
  const slug = isMention ? `${parameters.series['7d']}-mention` : parameters.series[slot.family];
  return {
    id: isMention ? '10099' : seriesIdOf(slug),
    slug,
    title: slug.replaceAll('-', ' '),
    recurrence: slot.family === 'month' ? 'monthly' : 'weekly',
  };
}

/** Two series of the predefined accounts use their original ids. */
function seriesIdOf(slug: string): string {
  return SERIES_IDS[slug] ?? String(100_000 + (hashLabel(slug) % 800_000));
}

function tagOf({ tagId, displayName }: SimulatorAccountParameters): EventTag {
  return { id: tagId, label: displayName, slug: displayName.toLowerCase().replaceAll(' ', '-') };
}

export function listMarkets(
  seedKey: number,
  parameters: SimulatorAccountParameters,
  event: ListedEvent,
  labels: readonly string[],
): ListedMarket[] {
  return labels.map((label, index) => {
    const marketId = makeMarketId(event.eventId, index);
    return {
      marketId,
      index,
      label,
      question: marketQuestion(parameters, event.title, label),
      slug: marketSlug(event.slug, label),
      outcomes: ['Yes', 'No'],
      ...identify(seedKey, event.version, marketId),
    };
  });
}
