// A running or past event with its buckets and settlement.

import { Terms, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Settlement } from '../../store/ports.ts';
import { presentTerms } from './events.ts';
import { recordOf, rowsOf } from './record.ts';

export interface PastEventSource {
  event: MarketEvent;
  settlement: Settlement | undefined;
  snapshot: AccountSnapshot | undefined;
}

const SettledEvent = recordOf<Settlement>('SettledEvent')({
  final_count: [Type.Integer(), ({ finalCount }) => finalCount],
  winning_bucket: [Type.Union([Type.String(), Type.Null()]), ({ winningLabel }) => winningLabel],
  source: [Type.String(), ({ source }) => source],
  revision: [
    Type.Integer({ description: 'Starts at 1 and increases with every correction' }),
    ({ revision }) => revision,
  ],
  settled_ts: [Ts, ({ settledTs }) => settledTs],
});

const Bucket = Type.Object({
  bucket: Type.String(),
  low: Type.Integer(),
  high: Type.Union([Type.Integer(), Type.Null()]),
});

const termsOf = ({ snapshot, event }: PastEventSource) => presentTerms(snapshot, event);

export const pastEventRows = rowsOf<PastEventSource>()({
  event_id: [Type.Integer(), ({ event }) => event.eventId],
  event_title: [Type.String(), ({ event }) => event.title],
  venue: [Terms.venue, (source) => termsOf(source).venue],
  counting_rule: [Terms.counting_rule, (source) => termsOf(source).counting_rule],
  settlement_source: [Terms.settlement_source, (source) => termsOf(source).settlement_source],
  start_ts: [Ts, ({ event }) => event.window.startTs],
  end_ts: [Ts, ({ event }) => event.window.endTs],
  buckets: [
    Type.Array(Bucket),
    ({ event }) => event.buckets.map(({ label, lo, hi }) => ({ bucket: label, low: lo, high: hi })),
  ],
  settlement: [
    Type.Union([SettledEvent.schema, Type.Null()], { description: 'null until the event settles' }),
    ({ settlement }) => (settlement ? SettledEvent.present(settlement) : null),
  ],
});
