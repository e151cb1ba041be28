// Advice that was published, with what became of it.

import { MaybeNumber, MaybeTs, Terms, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { firstTerms } from '../../domain/contract.ts';
import type { AdviceHappening } from '../../domain/happening.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { type AdviceOutcome, describeRemembered } from '../../trade/activity/compose.ts';
import { VERDICT_WORDS } from './advice.ts';
import { presentContract } from './events.ts';
import { maybeSix, recordOf, six } from './record.ts';

/** What a list that mixes events says about each: contracts on one account may count differently. */
export type EventLabel = { title: string } & Partial<ReturnType<typeof presentContract>>;

export function labelEvent(account: Account, { title, terms }: MarketEvent): EventLabel {
  return { title, ...presentContract(terms ?? firstTerms(account)) };
}

export interface RememberedSource {
  segment: string;
  label: EventLabel;
  advice: AdviceHappening;
  outcome: AdviceOutcome;
}

export const RememberedAdvice = recordOf<RememberedSource>('RememberedAdvice')({
  account: [Type.String(), ({ segment }) => segment],
  event_id: [Type.Integer(), ({ advice }) => advice.eventId],
  event_title: [Type.String(), ({ label }) => label.title],
  venue: [Terms.venue, ({ label }) => label.venue],
  counting_rule: [Terms.counting_rule, ({ label }) => label.counting_rule],
  bucket: [Type.String(), ({ advice }) => advice.bucketLabel],
  verdict: [Type.Enum(['BUY_YES', 'BUY_NO', 'EXIT']), ({ advice }) => VERDICT_WORDS[advice.content.verdict]],
  edge_kind: [
    Type.Union([Type.Enum(['fact', 'structure', 'model']), Type.Null()]),
    ({ advice }) => advice.content.edgeKind,
  ],
  limit_price: [
    Type.Number({ description: 'Limit when it was given' }),
    ({ advice }) => advice.content.limitPrice,
  ],
  win_probability: six(({ advice }: RememberedSource) => advice.content.winProbability, {
    description: 'As stated when it was given',
  }),
  since_ts: [Ts, ({ advice }) => advice.fromTs],
  ended_ts: [
    { ...MaybeTs, description: 'UTC milliseconds; null while it is active' },
    ({ advice }) => advice.endedTs,
  ],
  ended_because: [Type.Union([Type.String(), Type.Null()]), ({ advice }) => advice.content.endedBecause],
  price_at_end: [
    { ...MaybeNumber, description: 'Market price of the traded side when it ended' },
    ({ advice }) => advice.content.endPrice,
  ],
  outcome: [
    Type.Enum(['active', 'open', 'won', 'lost'], {
      description: 'active: still advised; open: ended, event not settled; won or lost: event settled',
    }),
    ({ outcome }) => outcome.state,
  ],
  price_now: [
    { ...MaybeNumber, description: 'Market price of the traded side, or what it paid; null if unknown' },
    ({ outcome }) => outcome.price,
  ],
  gain_per_share: maybeSix(({ outcome }: RememberedSource) => outcome.gainPerShare, {
    description: 'USD since it was given, before fees',
  }),
  sentence: [
    Type.String({ description: 'The order and its outcome so far' }),
    ({ advice, outcome }) => describeRemembered(advice, outcome),
  ],
});
