// Reports a connection that is down, paused or rejected.

import { useEffect } from 'react';
import { setKey } from '../api/access.ts';
import type { AccountFeed } from '../live/account-feed.ts';
import { useNow } from '../live/clock.ts';
import {
  useAccess,
  useAccountView,
  useLabel,
  useLabels,
  useLive,
  useOutage,
  useSilence,
} from '../live/live-context.tsx';
import { formatLength, formatTime } from '../words/format.ts';
import { announce } from './announcer.tsx';
import { SmallButton } from './button.tsx';
import { DemoKeyButton, openKeyDialog } from './key-dialog.tsx';
import { StaleBanners } from './stale-banners.tsx';

export function LineBanners() {
  const { feeds, problem, config } = useLive();
  const isOut = useOutage() !== null;
  return (
    <section className="notices" aria-label="Notices">
      {config?.world === 'simulated' ? (
        <div className="notice notice-quiet">
          <p>Demo: every number on this page comes from a simulator, not from a real market.</p>
          <DemoKeyButton as={SmallButton} />
        </div>
      ) : null}
      {problem ? <p className="notice notice-bad">{problem} Retrying every few seconds.</p> : null}
      <RefusedBanner />
      <OutageBanner />
      {isOut ? null : <StaleBanners />}
      {feeds.map((feed) => (
        <LineBanner key={feed.get().state.account} feed={feed} />
      ))}
    </section>
  );
}

function LineBanner({ feed }: { feed: AccountFeed }) {
  const view = useAccountView(feed);
  const account = view?.state.account ?? '';
  const label = useLabel(account);
  const words = view?.line.kind === 'limited' ? `${label}: hourly allowance used up.` : null;
  useEffect(() => {
    if (words) announce(words);
  }, [words]);
  if (view?.line.kind !== 'limited') return null;
  return (
    <div className="notice notice-warn">
      <p>
        <strong>{label}: hourly allowance used up.</strong> Updates resume automatically.{' '}
        <Retry ts={view.line.retryTs} />
      </p>
    </div>
  );
}

/** One banner for all accounts, because they share one service. */
function OutageBanner() {
  const { feeds } = useLive();
  const labelOf = useLabels();
  const outage = useOutage();
  const silentTs = useSilence();
  const who = outage?.isWhole
    ? 'No connection to the service'
    : `${outage?.accounts.map(labelOf).join(', ')}: no connection`;
  const words = outage ? `${who}.` : silentTs === null ? null : 'The service is not responding.';
  useEffect(() => {
    if (words) announce(`${words} Advice, prices and feeds are out of date.`);
  }, [words]);
  if (words === null) return null;
  const sinceTs = outage ? outage.sinceTs : silentTs;
  return (
    <div className="notice notice-bad" data-notice="outage">
      <p>
        <strong>{words}</strong> {outage ? `${outage.reason}. ` : null}
        {sinceTs === null ? null : (
          <>
            Advice, prices and feeds are out of date: last update <Seconds since={sinceTs} /> ago, at{' '}
            {formatTime(sinceTs, true)}.
          </>
        )}{' '}
        {outage ? <Retry ts={outage.retryTs} /> : null}
      </p>
      <SmallButton
        onClick={() => {
          for (const feed of feeds) feed.retryNow();
        }}
      >
        Retry now
      </SmallButton>
    </div>
  );
}

function Seconds({ since }: { since: number }) {
  return <span className="num">{Math.max(0, Math.floor((useNow() - since) / 1000))} s</span>;
}

/** One banner for all accounts, because they share the key. */
function RefusedBanner() {
  const { refused } = useAccess();
  useEffect(() => {
    if (refused) announce('The service rejected the key.');
  }, [refused]);
  if (!refused) return null;
  return (
    <div className="notice notice-bad">
      <p>
        <strong>The service rejected the key.</strong> It may have been revoked or replaced. Enter another, or
        remove it to see the public view.
      </p>
      <span className="button-row">
        <SmallButton onClick={openKeyDialog}>Change key</SmallButton>
        <SmallButton onClick={() => setKey(null)}>See the public view</SmallButton>
      </span>
    </div>
  );
}

function Retry({ ts }: { ts: number }) {
  const now = useNow();
  const leftMs = ts - now;
  return (
    <span className="num">{leftMs > 500 ? `Retrying in ${formatLength(leftMs)}.` : 'Retrying now.'}</span>
  );
}
