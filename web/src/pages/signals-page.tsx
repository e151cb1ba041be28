// Signals: what to buy or skip, at what size for a bankroll, and why.

import { Fragment, type ReactNode, useState } from 'react';
import { isPro } from '../api/access.ts';
import type { Envelope, EventSignalsRecord, SignalRecord, StrategyRecord } from '../api/records.ts';
import { useAccess, useLive, useTerms } from '../live/live-context.tsx';
import { ADVICE_REFRESH_MS } from '../live/use-advice.ts';
import { useFetched } from '../live/use-fetched.ts';
import { AdviceText } from '../ui/advice-text.tsx';
import { AccountChoice, BankrollSlider } from '../ui/controls.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Empty, Loaded, NeedsKey, PageHead, Panel } from '../ui/panel.tsx';
import { ToDo } from '../ui/to-do.tsx';
import { byShareToFall, findNearest, isActive } from '../words/advice.ts';
import { formatCents, formatCount, formatProbability, formatUsd, plural } from '../words/format.ts';

const DEFAULT_BANKROLL_USD = 1_000;
/**
 * Rows shown across all events, at least one per event; a click shows the rest. Fits three phone screens.
 */
const LEAD_ROWS = 4;
/** Total across all events. */
const TOP = 3;

export default function SignalsPage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Signals">
        Advice for every open bucket, after fees and spread, sized for your bankroll.
      </PageHead>
      {isPro(tier) ? (
        <Signals />
      ) : (
        <NeedsKey>
          <p>With a PRO key, this page shows for every open bucket of every event:</p>
          <ul>
            <li>what to buy or sell, at what price and size, or why to wait</li>
            <li>expected value per dollar, growth-optimal fraction and a suggested bet</li>
            <li>two-bucket and single-bucket strategies with their track record</li>
          </ul>
        </NeedsKey>
      )}
    </>
  );
}

function Signals() {
  const [chosen, setChosen] = useState<string | null>(null);
  const { config } = useLive();
  const account = chosen ?? config?.accounts[0]?.segment ?? null;
  const [bankrollUsd, setBankrollUsd] = useState(DEFAULT_BANKROLL_USD);
  const [onlyActionable, setOnlyActionable] = useState(false);
  const signals = useFetched<Envelope<EventSignalsRecord[]>>({
    path: account ? `/signals/${account}` : null,
    query: { bankroll: bankrollUsd, only_with_signals: onlyActionable },
    everyMs: ADVICE_REFRESH_MS,
    settleMs: 250,
  });
  return (
    <div className="stack">
      <div className="toolbar">
        {account ? <AccountChoice value={account} onChange={setChosen} /> : null}
        <BankrollSlider valueUsd={bankrollUsd} onChange={setBankrollUsd} />
        <label className="check">
          <input
            type="checkbox"
            checked={onlyActionable}
            onChange={(event) => setOnlyActionable(event.target.checked)}
          />
          Only events with advice
        </label>
      </div>
      <ToDo limit={TOP} bankrollUsd={bankrollUsd} />
      <div className="stack" aria-busy={signals.isLoading}>
        <Loaded of={signals}>
          {({ data }) =>
            data.length > 0 ? <EventList events={data} /> : <Empty>No open event has advice now.</Empty>
          }
        </Loaded>
      </div>
    </div>
  );
}

function EventList({ events }: { events: readonly EventSignalsRecord[] }) {
  const leadRows = Math.max(1, Math.floor(LEAD_ROWS / events.length));
  const idle = events.filter(isIdle);
  return (
    <>
      {events
        .filter((event) => !isIdle(event))
        .map((event) => (
          <EventSignals key={event.event_id} event={event} leadRows={leadRows} />
        ))}
      <Closest events={idle} />
      {idle.length > 0 ? (
        <Panel
          title="Events without a trade"
          aside={<span className="fine">no bucket or strategy is worth it at this bankroll</span>}
        >
          {idle.map((event) => (
            <IdleEvent key={event.event_id} event={event} />
          ))}
        </Panel>
      ) : null}
    </>
  );
}

const CLOSEST_ROWS = 4;

/** The buckets where the smallest fall of the price would make a trade. */
function Closest({ events }: { events: readonly EventSignalsRecord[] }) {
  const rows = events
    .flatMap((event) => findNearest(event.signals).map((near) => ({ ...near, event })))
    .sort(byShareToFall)
    .slice(0, CLOSEST_ROWS);
  if (rows.length === 0) return null;
  return (
    <Panel title="Closest to a trade" aside={<span className="fine">buy at this price or less</span>}>
      <DataTable
        label="Buckets closest to a trade"
        className="table-cards closest"
        rows={rows}
        keyOf={({ event, bucket }) => `${event.event_id} ${bucket}`}
        columns={[
          {
            name: 'Bucket',
            className: 'text',
            cell: ({ bucket, side, event }) => (
              <>
                {side} {bucket} <span className="event-terms">{event.event_title}</span>
              </>
            ),
          },
          { name: 'Price now', cell: ({ price }) => formatCents(price) },
          { name: 'Buy at', className: 'num strong', cell: ({ actAt }) => formatCents(actAt) },
          { name: 'Difference', cell: ({ gap }) => formatCents(gap) },
        ]}
      />
      {[...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, some]) => (
        <p key={reason} className="fine closest-why">
          {some.length === rows.length
            ? 'Not now'
            : some.map(({ side, bucket }) => `${side} ${bucket}`).join(', ')}
          : {reason}.
        </p>
      ))}
    </Panel>
  );
}

function isIdle({ signals, strategies }: EventSignalsRecord): boolean {
  return !signals.some(({ advice }) => isActive(advice)) && (strategies?.buy ?? []).length === 0;
}

function IdleEvent({ event }: { event: EventSignalsRecord }) {
  const termsOf = useTerms();
  return (
    <IdleBuckets event={event} signals={event.signals}>
      <span className="strong">{event.event_title ?? `Event ${event.event_id}`}</span>{' '}
      <span className="event-terms">{[termsOf(event), describeIdle(event)].filter(Boolean).join('; ')}</span>
    </IdleBuckets>
  );
}

/** A reason that all its buckets share is shown in the event's line. */
function describeIdle({ signals }: EventSignalsRecord): string {
  const idle = signals.map(({ advice }) => advice).filter((advice) => !isActive(advice));
  const isShared = new Set(idle.map(({ sentence }) => sentence)).size === 1;
  return `${plural(idle.length, 'bucket')} without a trade${isShared ? `: ${idle[0]!.abstain_reason}` : ''}`;
}

function EventSignals({ event, leadRows }: { event: EventSignalsRecord; leadRows: number }) {
  const terms = useTerms()(event);
  const strategies = event.strategies?.buy ?? [];
  const active = event.signals.filter(({ advice }) => isActive(advice));
  const [lead, more] = [active.slice(0, leadRows), active.slice(leadRows)];
  const idle = event.signals.filter(({ advice }) => !isActive(advice));
  return (
    <Panel title={event.event_title ?? `Event ${event.event_id}`}>
      {terms ? <p className="event-terms">{terms}</p> : null}
      {lead.length > 0 ? (
        <SignalTable label={`Signals for ${event.event_title}`} signals={lead} marketUrl={event.market_url} />
      ) : null}
      {more.length > 0 ? (
        <details className="folded">
          <summary>{more.length} more with advice</summary>
          <SignalTable
            label={`More signals for ${event.event_title}`}
            signals={more}
            marketUrl={event.market_url}
          />
        </details>
      ) : null}
      {strategies.length > 0 ? (
        <details className="folded">
          <summary>
            {plural(strategies.length, 'strategy', 'strategies')} worth the risk at this bankroll
          </summary>
          <ul className="strategies">
            {strategies.map((entry) => (
              <Strategy key={`${entry.strategy} ${entry.buckets.join()}`} entry={entry} />
            ))}
          </ul>
        </details>
      ) : (
        <p className="fine strategies-none">No one- or two-bucket strategy is worth it at this bankroll.</p>
      )}
      <IdleBuckets event={event} signals={idle}>
        {describeIdle(event)}
      </IdleBuckets>
    </Panel>
  );
}

interface IdleProps {
  event: EventSignalsRecord;
  signals: readonly SignalRecord[];
  children: ReactNode;
}

/** Drawn only while open: an event may have a hundred buckets. */
function IdleBuckets({ event, signals, children }: IdleProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="folded" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{children}</summary>
      {isOpen ? <IdleTables title={event.event_title} signals={signals} /> : null}
    </details>
  );
}

/** A reason that several buckets share is shown once: above their table, or in the event's line. */
function IdleTables({ title, signals }: { title: string; signals: readonly SignalRecord[] }) {
  const groups = [...Map.groupBy(signals, ({ advice }) => advice.sentence)];
  const others = groups.filter(([, some]) => some.length === 1).flatMap(([, some]) => some);
  return (
    <>
      {groups
        .filter(([, some]) => some.length > 1)
        .map(([sentence, some]) => (
          <Fragment key={sentence}>
            {groups.length > 1 ? <p className="table-caption">{sentence}</p> : null}
            <SignalTable label={`Buckets in ${title}: ${sentence}`} signals={some} isReasonShown />
          </Fragment>
        ))}
      {others.length > 0 ? <SignalTable label={`Other buckets in ${title}`} signals={others} /> : null}
    </>
  );
}

interface TableProps {
  label: string;
  signals: readonly SignalRecord[];
  marketUrl?: string | null;
  /** Whether the reason is shown above the table instead of in each row. */
  isReasonShown?: boolean;
}

function SignalTable({ label, signals, marketUrl = null, isReasonShown = false }: TableProps) {
  const hasSizes = signals.some(({ advice }) => isActive(advice));
  return (
    <DataTable
      label={label}
      scrollClassName="signal-table"
      rows={signals}
      keyOf={({ bucket }) => bucket}
      marks={({ bucket, advice }) => ({ 'data-bucket': bucket, 'data-verdict': advice.verdict })}
      columns={[
        { name: 'Bucket', cell: ({ bucket }) => bucket },
        {
          name: 'Advice',
          className: 'text wrap',
          cell: (signal) => (
            <SignalAdvice signal={signal} marketUrl={marketUrl} isReasonShown={isReasonShown} />
          ),
        },
        { name: 'Blended', percent: ({ belief_prob }) => belief_prob },
        { name: 'Market', cell: ({ market_price }) => formatCents(market_price) },
        { name: 'Model', percent: ({ model_prob }) => model_prob },
        { name: 'Model edge (pp)', points: ({ edge }) => edge },
        hasSizes && {
          name: 'Stake',
          className: 'num strong',
          cell: ({ advice }) => formatStake(advice.stake),
        },
        hasSizes && { name: 'Book depth', cell: ({ advice }) => formatCount(advice.depth_shares) },
      ]}
    />
  );
}

const formatStake = (usd: number) => (usd > 0 ? formatUsd(usd) : '–');

interface AdviceProps {
  signal: SignalRecord;
  marketUrl: string | null;
  isReasonShown: boolean;
}

function SignalAdvice({ signal, marketUrl, isReasonShown }: AdviceProps) {
  const { action, confidence, time_confidence } = signal;
  const classified = { action, confidence, 'time confidence': time_confidence };
  const advice = isReasonShown ? { ...signal.advice, sentence: 'No trade.' } : signal.advice;
  return <AdviceText advice={advice} marketUrl={marketUrl} classified={classified} />;
}

function Strategy({ entry }: { entry: StrategyRecord }) {
  return (
    <li className="strategy">
      <p className="strategy-name">{entry.strategy.replaceAll('_', ' ').toLowerCase()}</p>
      <p className="strategy-buckets num">{entry.buckets.join(' and ')}</p>
      <p className="strategy-facts num">
        {formatUsd(entry.suggested_bet)}, {formatProbability(entry.stake_fraction)} of bankroll, win
        probability {formatProbability(entry.win_probability)}
      </p>
      <p className="fine num">
        {entry.realised_win_rate === null
          ? 'No settled record yet'
          : `Win rate ${formatRate(entry.realised_win_rate)} over ${entry.sample_size} settled signals`}
      </p>
    </li>
  );
}

/** Accepts a fraction or a percentage; a rate above 1 must be a percentage. */
function formatRate(rate: number): string {
  return `${(rate > 1 ? rate : rate * 100).toFixed(1)}%`;
}
