// The live page: all open events on the left, and the selected one in full.

import { useEffect, useRef, useState } from 'react';
import { isPro } from '../../api/access.ts';
import type { CountersRecord, PredictionRecord } from '../../api/records.ts';
import { useAccess, useAccountView, useLabel, useLive } from '../../live/live-context.tsx';
import { useAdvice } from '../../live/use-advice.ts';
import type { AccountView, Line } from '../../live/view-store.ts';
import { useRoute } from '../../route.ts';
import { announce } from '../../ui/announcer.tsx';
import { Empty } from '../../ui/panel.tsx';
import { isGroundOfAdvice, listStale } from '../../ui/stale-banners.tsx';
import { ToDo } from '../../ui/to-do.tsx';
import { describeLag } from '../../words/deltas.ts';
import { ActivityPanel, useActivity } from './activity-panel.tsx';
import { BucketLadder, chooseBucket } from './bucket-ladder.tsx';
import { CountersPanel } from './counters-panel.tsx';
import { EventHead } from './event-head.tsx';
import { EventRail } from './event-rail.tsx';
import { HeatMap, useHourly } from './heat-map.tsx';
import { PostList } from './post-list.tsx';
import { PricePanel } from './price-panel.tsx';
import { RunningCount } from './running-count.tsx';
import { VitalsPanel } from './vitals-panel.tsx';

const TOP = 3;

export function LivePage() {
  const { feeds, problem } = useLive();
  const { parts } = useRoute();
  const feed = feeds.find((candidate) => candidate.get().state.account === parts[0]) ?? feeds[0];
  const view = useAccountView(feed);
  const { tier } = useAccess();
  const activity = useActivity();
  if (!feed || !view)
    return <p className="loading">{problem ? 'Waiting for the service…' : 'Connecting…'}</p>;
  return (
    <div className="live">
      {isPro(tier) ? <ToDo limit={TOP} lastAdvice={activity.data?.last_advice} /> : null}
      <div className="side">
        <EventRail
          chosenAccount={view.state.account}
          chosenEventId={choose(view, parts[1])?.event_id ?? null}
        />
        <ActivityPanel activity={activity} />
      </div>
      <AccountDetail key={view.state.account} view={view} eventPart={parts[1]} />
    </div>
  );
}

/** Shows the count in the tab title. */
function useCountInTitle(record: CountersRecord): void {
  useEffect(() => {
    document.title = `${record.real_counter ?? '–'} · ${record.event_title} · Tallycast`;
  }, [record.real_counter, record.event_title]);
}

function choose(view: AccountView, eventPart: string | undefined): CountersRecord | undefined {
  return view.state.meta.find((record) => String(record.event_id) === eventPart) ?? view.state.meta[0];
}

interface DetailProps {
  view: AccountView;
  eventPart: string | undefined;
}

function AccountDetail({ view, eventPart }: DetailProps) {
  const record = choose(view, eventPart);
  if (record) return <EventDetail key={record.event_id} view={view} record={record} />;
  return (
    <div className="detail">
      <h1 className="visually-hidden">Live counts</h1>
      <section className="panel">
        <Empty>
          {view.state.heardTs === null
            ? describeWait(view.line.kind)
            : 'No open events. The next one appears here when its window opens.'}
        </Empty>
      </section>
      {view.state.posts.length > 0 ? <PostList state={view.state} window={null} isPro={false} /> : null}
    </div>
  );
}

/** A rejected or rate-limited connection needs a different text, because waiting may not help. */
export function describeWait(line: Line['kind']): string {
  if (line === 'limited') return 'Hourly allowance used up. Enter a key, or wait for it to reset.';
  return line === 'refused' ? 'This key was rejected.' : 'Waiting for data…';
}

function EventDetail({ view, record }: { view: AccountView; record: CountersRecord }) {
  const { tier } = useAccess();
  const { state, line } = view;
  const prediction: PredictionRecord | undefined = state.prediction.find(
    (candidate) => candidate.event_id === record.event_id,
  );
  const hourly = useHourly(state.account, record.event_id, state.posts[0]?.tweet_id);
  useAnnouncedCount(record, state.account);
  useCountInTitle(record);
  const isOld = line.kind === 'down' || line.kind === 'limited' || line.kind === 'refused';
  const pro = isPro(tier);
  const { advice, error } = useAdvice(state.account, record.event_id, pro);
  const [chosen, setChosen] = useState<string | null>(null);
  const bucket = chosen ?? chooseBucket(prediction);
  const staleFeeds = listStale(record.feeds).map(({ feed }) => feed);
  // The last response may be from before the feed became stale.
  const isBlind = staleFeeds.some(isGroundOfAdvice);
  return (
    <div
      className="detail"
      data-old={isOld || undefined}
      data-stale-feeds={staleFeeds.join(' ') || undefined}
    >
      <EventHead record={record} state={state} />
      <div className="detail-grid">
        <CountersPanel record={record} clock={state.clock} isOld={isOld} />
        <VitalsPanel record={record} prediction={prediction} state={state} isPro={pro} />
        <RunningCount
          record={record}
          prediction={prediction}
          state={state}
          hourly={hourly.record}
          isPro={pro}
        />
        <BucketLadder
          record={record}
          prediction={prediction}
          isPro={pro}
          advice={isBlind ? null : advice}
          error={error}
          chosen={bucket}
          onChoose={setChosen}
        />
        <PricePanel
          record={record}
          prediction={prediction}
          state={state}
          bucket={bucket}
          onBucket={setChosen}
          isPro={pro}
        />
        <HeatMap record={record} hourly={hourly} clock={state.clock} />
        <PostList state={state} window={record} isPro={pro} />
      </div>
    </div>
  );
}

function useAnnouncedCount(record: CountersRecord, account: string): void {
  const label = useLabel(account);
  const previous = useRef(record.real_counter);
  useEffect(() => {
    if (previous.current === record.real_counter) return;
    previous.current = record.real_counter;
    announce(`${label}: count ${record.real_counter}, ${describeLag('oracle', record.settlement_delta)}.`);
  }, [record, label]);
}
