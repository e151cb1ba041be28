// Request and response schemas for channels, rules and alerts.

import { RULE_KINDS, THRESHOLDS } from '../domain/rule-kinds.ts';
import { envelope, MaybeTs, named, objectEnvelope, Ts } from './envelope.ts';
import { CLOSED, Type } from './schema.ts';

const MaybeText = Type.Union([Type.String(), Type.Null()]);
const MaybeInteger = Type.Union([Type.Integer(), Type.Null()]);
const MaybeNumber = Type.Union([Type.Number(), Type.Null()]);
const Label = Type.String({ maxLength: 100, default: '', description: 'Your name for the channel' });

export const ChannelBody = named(
  'ChannelBody',
  Type.Object(
    {
      kind: Type.Enum(['webhook', 'discord', 'telegram']),
      url: Type.Optional(
        Type.String({
          maxLength: 2000,
          description: 'Webhook or Discord webhook URL; not used for telegram',
        }),
      ),
      label: Type.Optional(Label),
    },
    CLOSED,
  ),
);

const channelFields = {
  channel_id: Type.String(),
  kind: Type.Enum(['webhook', 'discord', 'telegram', 'push']),
  label: Type.String(),
  target: Type.String({ description: 'Destination, with secrets removed' }),
  state: Type.Enum(['ready', 'linking', 'disabled']),
  created_ts: Ts,
  disabled_ts: MaybeTs,
};
const Channel = named('Channel', Type.Object(channelFields));

export const ChannelList = envelope('ChannelList', Channel);
export const ChannelCreated = objectEnvelope(
  'ChannelCreated',
  Type.Object({
    ...channelFields,
    secret: { ...MaybeText, description: 'Signs deliveries; shown only here' },
    link_code: { ...MaybeText, description: 'Send this code to the bot as /start CODE' },
    link_url: { ...MaybeText, description: 'Opens a chat with the bot and sends the code' },
    link_expires_ts: MaybeTs,
  }),
);
export const ChannelRemoved = objectEnvelope('ChannelRemoved', Type.Object({ channel_id: Type.String() }));

export const PushKey = objectEnvelope(
  'PushKey',
  Type.Object({ public_key: Type.String({ description: 'applicationServerKey, base64url' }) }),
);
export const PushBody = named(
  'PushSubscriptionBody',
  Type.Object(
    {
      endpoint: Type.String({ maxLength: 2000 }),
      p256dh: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]{87}=?$' }),
      auth: Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9_-]{22}(==)?$' }),
      label: Type.Optional(Label),
    },
    CLOSED,
  ),
);
export const PushSubscribed = objectEnvelope('PushSubscribed', Channel);

const meanings = Object.entries(THRESHOLDS).map(
  ([kind, { meaning, minimum, maximum, default: usual }]) =>
    `${kind}: ${meaning}, ${minimum} to ${maximum}, default ${usual}`,
);
const MINUTE_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

export const RuleBody = named(
  'RuleBody',
  Type.Object(
    {
      kind: Type.Enum([...RULE_KINDS]),
      account: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all accounts' })),
      event_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 })),
      threshold: Type.Optional(Type.Number({ description: meanings.join('; ') })),
      channels: Type.Optional(
        Type.String({
          maxLength: 1_000,
          default: '',
          description: 'Comma-separated channel ids; if empty, alerts are listed but not sent',
        }),
      ),
      quiet_from: Type.Optional(
        Type.String({ pattern: MINUTE_PATTERN, description: 'Start of quiet hours, such as 22:00' }),
      ),
      quiet_to: Type.Optional(
        Type.String({ pattern: MINUTE_PATTERN, description: 'End of quiet hours, such as 07:30' }),
      ),
      quiet_zone: Type.Optional(
        Type.String({
          maxLength: 60,
          default: 'UTC',
          description: 'Time zone for quiet hours, such as Europe/Zurich',
        }),
      ),
      most_per_hour: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 60,
          default: 20,
          description: 'Maximum alerts per hour for this rule; the rest are listed but not sent',
        }),
      ),
    },
    CLOSED,
  ),
);

const Rule = named(
  'Rule',
  Type.Object({
    rule_id: Type.String(),
    kind: Type.Enum([...RULE_KINDS]),
    account: { ...MaybeText, description: 'null for all accounts' },
    event_id: { ...MaybeInteger, description: 'null for all events' },
    threshold: MaybeNumber,
    channels: Type.Array(Type.String()),
    quiet_from: MaybeText,
    quiet_to: MaybeText,
    quiet_zone: MaybeText,
    most_per_hour: Type.Integer(),
    created_ts: Ts,
  }),
);
export const RuleList = envelope('RuleList', Rule);
export const RuleCreated = objectEnvelope('RuleCreated', Rule);
export const RuleRemoved = objectEnvelope('RuleRemoved', Type.Object({ rule_id: Type.String() }));
export const NoticeTested = objectEnvelope('NoticeTested', Type.Object({ notice_id: Type.String() }));

export const NoticesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor from the previous page' })),
});

export const NoticeList = envelope(
  'NoticeList',
  named(
    'Notice',
    Type.Object({
      notice_id: Type.String({ description: 'The same change always has the same id' }),
      kind: Type.Enum([...RULE_KINDS, 'test']),
      what: Type.String({
        description:
          'begun, ended, crossed, woke, quiet, apart, dark, back, moved, opened, closing, settled, test',
      }),
      account: MaybeText,
      event_id: MaybeInteger,
      title: Type.String(),
      text: Type.String(),
      link: Type.String({ description: 'Link to this moment in the dashboard' }),
      data: Type.Object({}, { additionalProperties: true }),
      rule_ids: Type.Array(Type.String()),
      happened_ts: { ...Ts, description: 'Service time, UTC milliseconds' },
      created_ts: Ts,
      due_ts: { ...MaybeTs, description: 'Earliest send time; null if the alert is listed but not sent' },
    }),
  ),
  { next_cursor: { ...MaybeText, description: 'null on the last page' } },
);
