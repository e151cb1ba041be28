// Rules under test and the worth of speed, as the record shows them.

import { MaybeTs, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { SpeedWorthRecord, TrialBetRecord, TrialRecord } from '../../store/ports.ts';
import { judgeTrial, summariseBets, type TrialResult } from '../../trade/rules/trial.ts';
import { addWorths, SPEED_DELAYS_S, type SpeedWorth } from '../../trade/speed-worth.ts';
import { maybeSix, recordOf, round2 } from './record.ts';

const ResultRecord = recordOf<TrialResult>('TrialResult')({
  bets: [Type.Integer({ description: 'Settled bets of one share each' }), ({ bets }) => bets],
  events: [Type.Integer(), ({ events }) => events],
  said: maybeSix(({ said }) => said, { description: 'Mean stated probability of the bought side' }),
  price: maybeSix(({ price }) => price, { description: 'Mean midpoint of the bought side' }),
  came: maybeSix(({ came }) => came, { description: 'Share of bets won' }),
  cents_per_share: maybeSix(({ gain }) => gain && 100 * gain, {
    description: 'Mean profit after spread and fee, in cents',
  }),
  low: maybeSix(({ gainInterval }) => gainInterval && 100 * gainInterval.lo, {
    description: 'Lower end of its 90 % interval, resampled by event; null below 3 events',
  }),
  high: maybeSix(({ gainInterval }) => gainInterval && 100 * gainInterval.hi),
});

interface ShownTrial {
  trial: TrialRecord;
  result: TrialResult;
  before: TrialResult;
  openBets: number;
}

const TrialRecordTable = recordOf<ShownTrial>('RecordTrial')({
  rule: [Type.String(), ({ trial }) => trial.ruleName],
  definition: [Type.String(), ({ trial }) => trial.definition],
  hash: [Type.String({ description: 'SHA-256 of the canonical definition' }), ({ trial }) => trial.hash],
  registered_ts: [Ts, ({ trial }) => trial.registeredTs],
  status: [
    Type.Enum(['running', 'passed', 'failed', 'withdrawn'], {
      description: 'withdrawn: the rule was changed or removed before the decision',
    }),
    ({ trial }) => trial.status,
  ],
  decided_ts: [MaybeTs, ({ trial }) => trial.decidedTs],
  events_needed: [
    Type.Integer({ description: 'Settled events with a bet at which the trial is decided' }),
    ({ trial }) => trial.eventsNeeded,
  ],
  open_bets: [
    Type.Integer({ description: 'Bets in events that have not settled' }),
    ({ openBets }) => openBets,
  ],
  result: [
    { ...ResultRecord.schema, description: 'Events that began after registration, up to the number needed' },
    ({ result }) => ResultRecord.present(result),
  ],
  before_registration: [
    { ...ResultRecord.schema, description: 'Recomputed on earlier events; not evidence for the trial' },
    ({ before }) => ResultRecord.present(before),
  ],
});

export const TrialsSchema = Type.Array(TrialRecordTable.schema, {
  description: 'Rules under test. Only a passed rule may advise',
});

export function presentTrials(
  trials: readonly TrialRecord[],
  bets: readonly TrialBetRecord[],
  nowTs: number,
) {
  return trials.map((trial) => {
    const own = bets.filter(({ ruleHash }) => ruleHash === trial.hash);
    const forward = own.filter(({ isRecomputed }) => !isRecomputed);
    return TrialRecordTable.present({
      trial,
      result: judgeTrial(forward, trial.eventsNeeded, nowTs).result,
      before: summariseBets(own.filter(({ isRecomputed }) => isRecomputed)),
      openBets: forward.filter(({ pnl }) => pnl === null).length,
    });
  });
}

const DelayRecord = recordOf<{ delayS: number; trades: number; usd: number }>('SpeedDelay')({
  delay_s: [Type.Number(), ({ delayS }) => delayS],
  trades: [Type.Integer(), ({ trades }) => trades],
  usd: [Type.Number({ description: 'Paid at prices that contradict the count' }), ({ usd }) => round2(usd)],
});

const SpeedRecord = recordOf<{ account: string; worth: SpeedWorth }>('RecordSpeed')({
  account: [Type.String(), ({ account }) => account],
  events: [Type.Integer({ description: 'Settled events with all trades read' }), ({ worth }) => worth.events],
  decided: [Type.Integer({ description: 'Buckets decided by the count' }), ({ worth }) => worth.decided],
  overruled: [
    Type.Integer({ description: 'Buckets that the venue settled against our count; not in the sums' }),
    ({ worth }) => worth.overruled,
  ],
  by_delay: [
    Type.Array(DelayRecord.schema, {
      description: 'Trades at least this many seconds after the post, or the end, that decided the bucket',
    }),
    ({ worth }) =>
      SPEED_DELAYS_S.map((delayS, k) =>
        DelayRecord.present({ delayS, trades: worth.trades[k]!, usd: worth.usd[k]! }),
      ),
  ],
});

export const SpeedSchema = Type.Array(SpeedRecord.schema, {
  description: 'What a faster source would have been worth, per account',
});

/** `accounts`: those to show, with their path segment. */
export function presentSpeed(
  worths: readonly SpeedWorthRecord[],
  accounts: readonly { accountId: string; segment: string }[],
) {
  return accounts.flatMap(({ accountId, segment }) => {
    const own = worths.filter((row) => row.accountId === accountId);
    const worth = addWorths(own.map((row) => row.worth));
    return own.length === 0 ? [] : [SpeedRecord.present({ account: segment, worth })];
  });
}
