// Patterns shared by several settings.

export const URL_PATTERN = /^https?:\/\/[^\s]+$/;
export const SOCKET_PATTERN = /^wss?:\/\/[^\s]+$/;
export const POSTGRES_PATTERN = /^postgres(ql)?:\/\/[^\s]+$/;
/** Words that API paths use in place of a segment or right after one. */
const RESERVED_SEGMENTS = ['crypto', 'tweets', 'hourly', 'ladder', 'rebalancing'] as const;
export const SEGMENT_PATTERN = new RegExp(`^(?!(?:${RESERVED_SEGMENTS.join('|')})$)[a-z0-9_-]{1,32}$`);
export const SEGMENT_ALLOWED = `1 to 32 characters of a-z 0-9 _ -, not ${RESERVED_SEGMENTS.join(', ')}`;
/** Excludes crypto, because crypto markets are stored under this name. */
export const ID_PATTERN = /^(?!crypto$)[a-z0-9_-]{1,32}$/;
export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;
export const HEX_KEY_PATTERN = /^0x[0-9a-fA-F]{64}$/;

/** Kinds of post sources that an account can list. */
export const POST_SOURCE_KINDS = [
  'x',
  'mastodon',
  'oracle',
  'rss',
  'archive',
  'twitterapi',
  'rollcall',
] as const;
export const POST_SOURCE_PATTERN = new RegExp(`^(?:${POST_SOURCE_KINDS.join('|')})$`);
