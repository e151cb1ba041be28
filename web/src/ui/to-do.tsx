// Current trades across all accounts, grouped by event, best first; if there are none, the largest disagreement
// between model and market, and the last advice with its outcome.

import { useEffect } from 'react';
import type { OpportunitiesRecord, OpportunityRecord, RememberedAdvice } from '../api/records.ts';
import { useAllFeeds, useLabel, useTerms } from '../live/live-context.tsx';
import { ADVICE_REFRESH_MS } from '../live/use-advice.ts';
import { useFetched } from '../live/use-fetched.ts';
import type { AccountView } from '../live/view-store.ts';
import { hrefTo } from '../route.ts';
import { formatCount, formatLength, formatProbability, formatUsd, joinReasons } from '../words/format.ts';
import { TradeLink } from './advice-text.tsx';
import { MyPositions } from './my-positions.tsx';
import { Failure, Panel } from './panel.tsx';
import { isGroundOfAdvice, listStale } from './stale-banners.tsx';

/** Debounces the bankroll slider. */
const SETTLE_MS = 250;

interface Props {
  /** Number of trades to show. */
  limit: number;
  bankrollUsd?: number;
  /** Latest start first; shown while there is no trade. */
  lastAdvice?: readonly RememberedAdvice[] | undefined;
}

export function ToDo({ limit, bankrollUsd, lastAdvice }: Props) {
  const { data, error, reload } = useFetched<OpportunitiesRecord>({
    path: '/signals',
    query: { limit, ...(bankrollUsd === undefined ? {} : { bankroll: bankrollUsd }) },
    everyMs: ADVICE_REFRESH_MS,
    settleMs: bankrollUsd === undefined ? 0 : SETTLE_MS,
  });
  const blind = useAllFeeds(listBlindEvents);
  // Reload immediately when an event loses or regains its data; meanwhile its trades are hidden.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change in missing data triggers the next request.
  useEffect(reload, [blind]);
  // Reserve space from the first paint, so that content below does not jump.
  return (
    <Panel
      title="What to do now"
      className="to-do"
      aside={data ? <span className="fine num">for {formatUsd(data.bankroll)}</span> : null}
    >
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {data ? <Trades answer={data} blind={blind.split(' ')} lastAdvice={lastAdvice ?? []} /> : null}
      {!data && !error ? <p className="fine">Loading…</p> : null}
      <MyPositions />
    </Panel>
  );
}

interface TradesProps {
  answer: OpportunitiesRecord;
  blind: readonly string[];
  lastAdvice: readonly RememberedAdvice[];
}

function Trades({ answer, blind, lastAdvice }: TradesProps) {
  const rows = answer.data.filter(({ event_id }) => !blind.includes(String(event_id)));
  // Advice to sell is for holders only, so it does not replace the last advice to buy.
  const isBuying = rows.some(({ verdict }) => verdict !== 'EXIT');
  return (
    <>
      {rows.length === 0 ? (
        <Nothing answer={answer} />
      ) : (
        <ol className="to-do-list">
          {[...Map.groupBy(rows, ({ event_id }) => event_id)].map(([eventId, entries]) => (
            <EventTrades key={eventId} entries={entries} />
          ))}
        </ol>
      )}
      {isBuying ? null : <LastAdvice advice={lastAdvice} answeredTs={answer.timestamp} />}
    </>
  );
}

function EventTrades({ entries }: { entries: readonly OpportunityRecord[] }) {
  const { account, event_id, event_title, ...terms } = entries[0]!;
  const label = useLabel(account);
  return (
    <li className="to-do-event" data-trades={entries.length}>
      <p>
        <a href={hrefTo('live', account, event_id)}>
          {event_title.startsWith(label) ? null : `${label}, `}
          {event_title}
        </a>{' '}
        <span className="event-terms">{useTerms()(terms)}</span>
      </p>
      <ol className="to-do-list">
        {entries.map((entry) => (
          <Trade key={entry.bucket} entry={entry} />
        ))}
      </ol>
    </li>
  );
}

function listBlindEvents(views: readonly AccountView[]): string {
  return views
    .flatMap(({ state }) => state.meta)
    .filter(({ feeds }) => listStale(feeds).some(({ feed }) => isGroundOfAdvice(feed)))
    .map(({ event_id }) => event_id)
    .join(' ');
}

function Trade({ entry }: { entry: OpportunityRecord }) {
  const isExit = entry.verdict === 'EXIT';
  return (
    <li className="to-do-row" data-verdict={entry.verdict}>
      <p className="to-do-sentence">{entry.sentence}</p>
      <p className="fine num">
        {isExit ? null : (
          <>
            {formatUsd(entry.stake)} stake, {formatProbability(entry.gain_per_usd)} expected gain,{' '}
          </>
        )}
        {entry.depth_shares === null ? null : (
          <>{formatCount(Math.floor(entry.depth_shares))} shares on offer, </>
        )}
        {formatLength(entry.seconds_remaining * 1000)} left <TradeLink url={entry.market_url} />
      </p>
    </li>
  );
}

function Nothing({ answer }: { answer: OpportunitiesRecord }) {
  const { disagreement, nearest, blind, bankroll } = answer;
  const terms = useTerms()(disagreement ?? {});
  if (disagreement)
    return (
      <p className="to-do-none">
        <strong>No trade now.</strong> Largest disagreement, in{' '}
        <a href={hrefTo('live', disagreement.account, disagreement.event_id)}>{disagreement.event_title}</a>
        {terms ? ` (${terms})` : null}: {disagreement.sentence}
      </p>
    );
  if (blind[0]) return <p className="to-do-none">{joinReasons([blind[0].reason])}</p>;
  return (
    <p className="to-do-none">
      <strong>No trade now.</strong>{' '}
      {nearest
        ? `The model values no bucket above its cost for ${formatUsd(bankroll)}.`
        : 'No bucket of an open event can be bought.'}
    </p>
  );
}

/** Advice given together is shown together. */
const TOGETHER_MS = 300_000;
const MAX_LAST = 3;

function LastAdvice({ advice, answeredTs }: { advice: readonly RememberedAdvice[]; answeredTs: number }) {
  const [last] = advice;
  if (!last) return null;
  const together = advice.filter(({ since_ts }) => last.since_ts - since_ts < TOGETHER_MS).slice(0, MAX_LAST);
  return (
    <p className="last-advice">
      <strong>Last advice, {formatLength(answeredTs - last.since_ts)} ago:</strong>{' '}
      {together.map(({ account, event_id, bucket, verdict, sentence }, i) => (
        <span key={`${event_id} ${bucket} ${verdict}`}>
          {i > 0 ? '; ' : null}
          <a href={hrefTo('event', account, event_id)}>{sentence}</a>
        </span>
      ))}
    </p>
  );
}
