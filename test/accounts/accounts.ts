// Account lists with one, two and five accounts.

/** Covers two platforms, three counting rules and different profile fields. */
const FIVE = [
  { id: 'a' },
  { id: 'b' },
  { id: 'c', platform: 'x', allowsSell: true, countingRule: { replies: true } },
  {
    id: 'd',
    platform: 'mastodon',
    publicView: 'wide',
    hasRebalancing: false,
    countingRule: { reposts: false },
  },
  { id: 'night_owl', segment: 'night-owl', displayName: 'Night Owl', marketTimeZone: 'America/New_York' },
];

export const LISTS = { one: [{ id: 'solo', platform: 'mastodon' }], two: FIVE.slice(0, 2), five: FIVE };
