// Signals: what to buy or leave, at what size for a bankroll, and why.

import { useState } from 'react';
import { isPro } from '../api/access.ts';
import type { Envelope, EventSignalsRecord, SignalRecord, StrategyRecord } from '../api/records.ts';
import { useFetched } from '../api/use-fetched.ts';
import { useAccess } from '../live/live-context.tsx';
import { useAccountChoice } from '../ui/account-choice.tsx';
import { BankrollSlider } from '../ui/bankroll.tsx';
import { Failure } from '../ui/failure.tsx';
import { Empty, NeedsKey, PageHead, Panel, ScrollTable } from '../ui/panel.tsx';
import { PayPerLook } from '../ui/pay-per-look.tsx';
import { SignalTag } from '../ui/signal-tag.tsx';
import {
  formatDecimal,
  formatPoints,
  formatProbability,
  formatSigned,
  formatUsd,
  joinReasons,
} from '../words/format.ts';
import { signOf } from './live/bucket-ladder.tsx';

const DEFAULT_BANKROLL_USD = 1_000;
const REFRESH_MS = 30_000;

export default function SignalsPage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Signals">
        Every open bucket priced against the model, after fees and spread, with a size for your bankroll.
      </PageHead>
      {isPro(tier) ? (
        <Signals />
      ) : (
        <div className="stack">
          <NeedsKey tier="PRO">
            <p>With a PRO key this page shows, for every open bucket of every event:</p>
            <ul>
              <li>buy, sell, hold or skip, best edge first, with the reasons in words</li>
              <li>expected value per dollar, growth-optimal fraction and a suggested bet</li>
              <li>the two-bucket and single-bucket strategies beside their realised record</li>
            </ul>
          </NeedsKey>
          <PaidSignals />
        </div>
      )}
    </>
  );
}

function Signals() {
  const { account, control } = useAccountChoice();
  const [bankrollUsd, setBankrollUsd] = useState(DEFAULT_BANKROLL_USD);
  const [onlyActionable, setOnlyActionable] = useState(false);
  const { data, error, isLoading } = useFetched<Envelope<EventSignalsRecord[]>>({
    path: account ? `/signals/${account}` : null,
    query: { bankroll: bankrollUsd, only_with_signals: onlyActionable },
    everyMs: REFRESH_MS,
    settleMs: 250,
  });
  return (
    <div className="stack">
      <div className="toolbar">
        {control}
        <BankrollSlider valueUsd={bankrollUsd} onChange={setBankrollUsd} />
        <label className="check">
          <input
            type="checkbox"
            checked={onlyActionable}
            onChange={(event) => setOnlyActionable(event.target.checked)}
          />
          Only events with a signal
        </label>
      </div>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      <div className="stack" aria-busy={isLoading}>
        {data?.data.map((event) => (
          <EventSignals key={event.event_id} event={event} />
        ))}
        {data?.data.length === 0 ? <Empty>No open event has a signal now.</Empty> : null}
        {!data && !error ? <Empty>Loading the signals …</Empty> : null}
      </div>
    </div>
  );
}

function PaidSignals() {
  const { account, control } = useAccountChoice();
  const [bankrollUsd, setBankrollUsd] = useState(DEFAULT_BANKROLL_USD);
  return (
    <PayPerLook<Envelope<EventSignalsRecord[]>>
      path={account ? `/signals/${account}` : null}
      query={{ bankroll: bankrollUsd }}
      controls={
        <>
          {control}
          <BankrollSlider valueUsd={bankrollUsd} onChange={setBankrollUsd} />
        </>
      }
    >
      {(answer) => answer.data.map((event) => <EventSignals key={event.event_id} event={event} />)}
    </PayPerLook>
  );
}

function EventSignals({ event }: { event: EventSignalsRecord }) {
  const strategies = [...(event.strategies?.buy ?? []), ...(event.strategies?.sell ?? [])];
  return (
    <Panel title={event.event_title ?? `Event ${event.event_id}`}>
      {strategies.length > 0 ? (
        <ul className="strategies">
          {strategies.map((entry) => (
            <Strategy key={`${entry.strategy} ${entry.buckets.join()}`} entry={entry} />
          ))}
        </ul>
      ) : (
        <p className="fine strategies-none">No strategy is worth its risk at this bankroll now.</p>
      )}
      <ScrollTable label={`Signals of ${event.event_title}`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Bucket</th>
              <th scope="col" className="text">
                Action
              </th>
              <th scope="col">Model</th>
              <th scope="col">Market</th>
              <th scope="col">Edge, pt</th>
              <th scope="col">EV per $1</th>
              <th scope="col">Kelly</th>
              <th scope="col">Bet</th>
              <th scope="col">Confidence</th>
              <th scope="col">Depth</th>
              <th scope="col" className="text">
                Why
              </th>
            </tr>
          </thead>
          <tbody>
            {event.signals.map((signal) => (
              <SignalRow key={signal.bucket} signal={signal} />
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </Panel>
  );
}

function SignalRow({ signal }: { signal: SignalRecord }) {
  return (
    <tr data-action={signal.action}>
      <th scope="row" className="num">
        {signal.bucket}
      </th>
      <td className="text">
        <SignalTag value={signal.action} />
      </td>
      <td className="num">{formatProbability(signal.model_prob)}</td>
      <td className="num">{formatProbability(signal.market_price)}</td>
      <td className="num" data-sign={signOf(signal.edge)}>
        {formatPoints(signal.edge)}
      </td>
      <td className="num">{formatSigned(signal.ev, 2)}</td>
      <td className="num">{formatProbability(signal.kelly_fraction)}</td>
      <td className="num strong">{signal.suggested_bet > 0 ? formatUsd(signal.suggested_bet) : '–'}</td>
      <td>
        {signal.confidence.toLowerCase()}
        <span className="visually-hidden">, in time {signal.time_confidence.toLowerCase()}</span>
      </td>
      <td className="num">{formatDecimal(signal.moneyness, 2)}</td>
      <td className="text wrap">{joinReasons(signal.reasons)}</td>
    </tr>
  );
}

function Strategy({ entry }: { entry: StrategyRecord }) {
  return (
    <li className="strategy">
      <p className="strategy-name">{entry.strategy.replaceAll('_', ' ').toLowerCase()}</p>
      <p className="strategy-buckets num">{entry.buckets.join(' and ')}</p>
      <p className="strategy-facts num">
        {formatUsd(entry.suggested_bet)}, {formatProbability(entry.stake_fraction)} of bankroll, wins with{' '}
        {formatProbability(entry.win_probability)}
      </p>
      <p className="fine num">
        {entry.realised_win_rate === null
          ? 'No settled record yet'
          : `Realised ${formatRate(entry.realised_win_rate)} over ${entry.sample_size} settled`}
      </p>
    </li>
  );
}

/** Given as a fraction or as percent; a rate above 1 can only be percent. */
function formatRate(rate: number): string {
  return `${(rate > 1 ? rate : rate * 100).toFixed(1)}%`;
}
