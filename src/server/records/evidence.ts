// What the advice of an account rests on: settled events by origin, the weights learned from them, and how
// much of these is still the prior.

import { Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { EdgeEvidence, RuleEvidence, RuleResult } from '../../domain/standing-advice.ts';
import {
  type GapSide,
  showsNoEdge,
  summariseEvidence,
  type WeightEstimate,
  weighSide,
  weighUnaided,
} from '../../trade/edges/explain-evidence.ts';
import { countEventsNeeded } from '../../trade/edges/learn-evidence.ts';
import { computePriorShare } from '../../trade/edges/prior-evidence.ts';
import { RULES } from '../../trade/rules/all-rules.ts';
import type { ChosenOn } from '../../trade/rules/rule.ts';
import { maybeSix, recordOf, six } from './record.ts';

export interface EvidenceSource {
  account: string;
  evidence: EdgeEvidence;
}

const weightRows = {
  weight: six(({ weight }: WeightEstimate) => weight, {
    description: 'Weight of the gap between model and market: 0 is the market alone, 1 the model alone',
  }),
  low: six(({ low }: WeightEstimate) => low, { description: '90 % interval' }),
  high: six(({ high }: WeightEstimate) => high),
};

const WeightRecord = recordOf<WeightEstimate>('EvidenceWeight')(weightRows);

const SideRecord = recordOf<WeightEstimate & { side: GapSide; evidence: EdgeEvidence }>('EvidenceSide')({
  side: [
    Type.Enum(['above', 'below'], { description: 'Where the model is above or below the market' }),
    ({ side }) => side,
  ],
  ...weightRows,
  events_needed: [
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'Estimated events until the weight is proven above zero; null if they contradict it',
    }),
    ({ side, evidence }) => countEventsNeeded(evidence, side),
  ],
  shows_no_edge: [
    Type.Boolean({ description: 'Whether at least 100 events leave a weight of zero possible' }),
    ({ side, evidence }) => showsNoEdge(evidence, side),
  ],
});

const ResultRecord = recordOf<RuleResult>('RuleResult')({
  bets: [Type.Integer({ description: 'Settled bets of one share each' }), ({ bets }) => bets],
  events: [Type.Integer(), ({ events }) => events],
  said: maybeSix(({ said }) => said, { description: 'Mean stated probability of the bought side' }),
  price: maybeSix(({ price }) => price, { description: 'Mean midpoint of the bought side' }),
  came: maybeSix(({ came }) => came, { description: 'Share of bets won' }),
  usd_per_share: maybeSix(({ gain }) => gain, { description: 'Mean profit after spread and fee' }),
  low: maybeSix(({ gainInterval }) => gainInterval?.lo, {
    description: 'Lower end of its 90 % interval, resampled by event; null below 3 events',
  }),
  high: maybeSix(({ gainInterval }) => gainInterval?.hi),
});

const ChosenRecord = recordOf<ChosenOn>('RuleChosenOn')({
  account: [Type.String({ description: 'Account id' }), ({ accountId }) => accountId],
  venue: [Type.String(), ({ venue }) => venue],
  from_ts: [Ts, ({ fromTs }) => fromTs],
  until_ts: [Ts, ({ untilTs }) => untilTs],
});

const ruleOf = ({ rule }: RuleEvidence) => RULES.find(({ name }) => name === rule);

const RuleRecord = recordOf<RuleEvidence>('RecordRule')({
  rule: [Type.String(), ({ rule }) => rule],
  definition: [Type.String(), (evidence) => ruleOf(evidence)?.definition ?? ''],
  chosen_on: [
    Type.Array(ChosenRecord.schema, { description: 'Events that the rule was chosen on do not judge it' }),
    (evidence) => (ruleOf(evidence)?.chosenOn ?? []).map(ChosenRecord.present),
  ],
  venue: [Type.String({ description: 'market is the account’s first venue' }), ({ venue }) => venue],
  recomputed: [
    { ...ResultRecord.schema, description: 'From forecasts computed later' },
    ({ recomputed }) => ResultRecord.present(recomputed),
  ],
  forward: [
    { ...ResultRecord.schema, description: 'From forecasts published before the outcome' },
    ({ forward }) => ResultRecord.present(forward),
  ],
  low: maybeSix(({ gainLow }) => gainLow, {
    description: 'Lower end of the 90 % interval of the profit per share over all of these events',
  }),
  may_advise: [
    Type.Boolean({ description: 'Whether low is above 0 on at least 20 events of at least 8 weeks' }),
    ({ mayAdvise }) => mayAdvise,
  ],
});

const count = (description: string, pick: (sources: NonNullable<EdgeEvidence['sources']>) => number) =>
  [
    Type.Integer({ description }),
    ({ evidence }: EvidenceSource) => (evidence.sources ? pick(evidence.sources) : 0),
  ] as const;

export const EvidenceRecord = recordOf<EvidenceSource>('RecordEvidence')({
  account: [Type.String(), ({ account }) => account],
  past_events: count(
    'Recomputed: past events with prices read from the venue',
    ({ recomputed }) => recomputed,
  ),
  own_events: count('Forward: events with forecasts published in time', ({ forward }) => forward),
  of_other_accounts: count(
    'How many of these are other accounts’ and count half',
    (sources) => sources.ofOtherAccounts,
  ),
  shipped_ladders: count(
    'Ladders in the shipped prior; 0 once events of that time are read',
    ({ shipped }) => shipped,
  ),
  prior_share: six(({ evidence }: EvidenceSource) => computePriorShare(evidence), {
    description: 'How much of the average weight is still the prior: 1 before any event',
  }),
  weights: [
    Type.Array(SideRecord.schema, { description: 'Prior and all events; both kinds of evidence teach them' }),
    ({ evidence }) =>
      (['above', 'below'] as const).map((side) =>
        SideRecord.present({ side, evidence, ...weighSide(evidence, side) }),
      ),
  ],
  unaided: [
    Type.Union([WeightRecord.schema, Type.Null()], {
      description: 'One weight that the events alone ask for, without the prior; null if undetermined',
    }),
    ({ evidence }) => {
      const weight = weighUnaided(evidence);
      return weight && WeightRecord.present(weight);
    },
  ],
  rules: [
    Type.Array(RuleRecord.schema, {
      description: 'What the account’s settled events say about each rule, by venue',
    }),
    ({ evidence }) => (evidence.rules ?? []).map(RuleRecord.present),
  ],
  sentence: [Type.String(), ({ evidence }) => summariseEvidence(evidence)],
});
