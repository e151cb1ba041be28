// "Since you last looked": changes in the shown event's count, forecast, price and advice.

import { useEffect, useState } from 'react';
import { isPro } from '../../../api/access.ts';
import type {
  CountersRecord,
  CourseRecord,
  OpportunitiesRecord,
  PredictionRecord,
} from '../../../api/records.ts';
import { type AccountState, toServerTs } from '../../../live/account-state.ts';
import { useAccess } from '../../../live/live-context.tsx';
import { useFetched } from '../../../live/use-fetched.ts';
import { hrefTo } from '../../../route.ts';
import { formatLength } from '../../../words/format.ts';
import { adviceChange, adviceKey, keepLook, lastLook, listChanges } from './changes.ts';

/** After a shorter absence, everything that was missed is still on the screen. */
const MIN_AWAY_MS = 600_000;
const LOOK_BACK_MS = 7_200_000;
const KEEP_EVERY_MS = 60_000;

interface Props {
  state: AccountState;
  record: CountersRecord;
  prediction: PredictionRecord | undefined;
}

export function SinceLastLook({ state, record, prediction }: Props) {
  const { tier } = useAccess();
  const [isDismissed, setDismissed] = useState(false);
  const signals = useFetched<OpportunitiesRecord>({
    path: isPro(tier) ? '/signals' : null,
    query: { limit: 100 },
    everyMs: KEEP_EVERY_MS,
  });
  const advice = signals.data?.data.map(adviceKey) ?? null;
  useKeptLook(state, advice);
  const awayMs = lastLook ? toServerTs(state.clock, Date.now()) - lastLook.ts : 0;
  const isShown = lastLook !== null && !isDismissed && awayMs >= MIN_AWAY_MS && lastLook.ts > record.start_ts;
  const { data } = useFetched<{ data: CourseRecord }>({
    path: isShown ? `/history/${state.account}/${record.event_id}` : null,
    query: {
      step: 'all',
      from: (lastLook?.ts ?? 0) - LOOK_BACK_MS,
      to: (lastLook?.ts ?? 0) + 1,
      limit: 300,
    },
  });
  const then = data?.data.points.at(-1);
  if (!isShown || !lastLook || !then) return null;
  const changes = [
    ...listChanges(then, data!.data.buckets, {
      count: record.real_counter,
      p50: prediction?.forecast?.p50 ?? null,
      prices: new Map(prediction?.markets.map(({ title, market_price }) => [title, market_price])),
    }),
    ...(lastLook.advice && advice ? [adviceChange(lastLook.advice, advice, record.event_id)] : []),
  ];
  return (
    <section className="since" aria-label="Since you last looked">
      <p>
        <strong>Since you last looked, {formatLength(awayMs)} ago</strong>{' '}
        <a href={hrefTo('event', state.account, record.event_id, then.timestamp)}>replay from then</a>
      </p>
      <dl>
        {changes.map(({ what, words }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd className="num">{words}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button button-small" onClick={() => setDismissed(true)}>
        Dismiss
      </button>
    </section>
  );
}

/** Saves periodically while the page is visible, and when the user leaves it. */
function useKeptLook(state: AccountState, advice: readonly string[] | null): void {
  useEffect(() => {
    if (state.heardTs === null) return;
    const keep = () => keepLook({ ts: Math.round(toServerTs(state.clock, Date.now())), advice });
    const timer = setInterval(() => {
      if (!document.hidden) keep();
    }, KEEP_EVERY_MS);
    window.addEventListener('pagehide', keep);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pagehide', keep);
    };
  }, [state.clock, state.heardTs, advice]);
}
