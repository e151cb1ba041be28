// Brand, pages, connection state and the caller's tier.

import { useEffect, useRef } from 'react';
import { useNow } from './live/clock.ts';
import { useAccess, useAllFeeds, useLive, useSilence } from './live/live-context.tsx';
import type { AccountView, Line } from './live/view-store.ts';
import { PAGES } from './pages.ts';
import { hrefTo, PAGE_NAMES, type PageName } from './route.ts';
import { KeyDialog, openKeyDialog } from './ui/key-dialog.tsx';
import { listStaleOfAccount } from './ui/stale-banners.tsx';
import { isLate } from './words/deltas.ts';

/** On a phone the navigation scrolls sideways; keeps the open page's link in view. */
function useOpenPageInSight(page: PageName) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each link has a different position in the strip.
  useEffect(() => {
    const strip = nav.current;
    const open = strip?.querySelector<HTMLElement>('[aria-current]');
    if (!strip || !open) return;
    const middle =
      open.getBoundingClientRect().left - strip.getBoundingClientRect().left + open.offsetWidth / 2;
    strip.scrollLeft += middle - strip.clientWidth / 2;
  }, [page]);
  return nav;
}

export function Header({ page }: { page: PageName }) {
  const nav = useOpenPageInSight(page);
  return (
    <header className="topbar">
      <a className="brand" href={hrefTo('live')} aria-label="Tallycast, live page">
        <TallyMark />
        <span>Tallycast</span>
      </a>
      <nav ref={nav} className="nav" aria-label="Pages">
        <ul>
          {PAGE_NAMES.map((name) => (
            <li key={name}>
              <a href={hrefTo(name)} aria-current={name === page ? 'page' : undefined}>
                {PAGES[name].title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="topbar-end">
        <LineBadge />
        <KeyButton />
      </div>
      <KeyDialog />
    </header>
  );
}

function TallyMark() {
  return (
    <svg className="tally-mark" viewBox="0 0 28 24" aria-hidden="true">
      <path d="M5 3v18M10.7 3v18M16.3 3v18M22 3v18" />
      <path className="tally-slash" d="M1.5 18.5 26 5.5" />
    </svg>
  );
}

function KeyButton() {
  const { key, tier, refused } = useAccess();
  const label = refused ? 'Key rejected' : key ? tier : 'Enter key';
  return (
    <button type="button" className={`button key-button ${refused ? 'is-bad' : ''}`} onClick={openKeyDialog}>
      {label}
    </button>
  );
}

const LINE_WORDS: Record<Line['kind'], string> = {
  live: 'Live',
  polling: 'Polling',
  connecting: 'Connecting',
  limited: 'Paused',
  refused: 'Rejected',
  silent: 'No response',
  down: 'Offline',
};

/** Worst first: the badge shows the worst connection of all accounts. */
const ORDER: readonly Line['kind'][] = [
  'down',
  'silent',
  'refused',
  'limited',
  'connecting',
  'polling',
  'live',
];

function LineBadge() {
  const { problem } = useLive();
  const kind = useAllFeeds(worstOf);
  const shown = problem ? 'down' : kind;
  return (
    <span className="line-badge" data-line={shown}>
      <span className="line-dot" aria-hidden="true" />
      {shown === 'stale' ? 'Stale feeds' : LINE_WORDS[shown]}
      <SilentSeconds />
    </span>
  );
}

function SilentSeconds() {
  const since = useSilence();
  return since === null ? null : <CountedSeconds since={since} />;
}

/** A separate component, so that only it re-renders every second. */
function CountedSeconds({ since }: { since: number }) {
  return <span className="num"> {Math.max(0, Math.floor((useNow() - since) / 1000))} s</span>;
}

/** A connection that delivers only old data is not live. */
function worstOf(views: readonly AccountView[]): Line['kind'] | 'stale' {
  const kinds = views.map((view) => view.line.kind);
  const kind = ORDER.find((candidate) => kinds.includes(candidate)) ?? 'connecting';
  const isStale = views.some(({ state }) => listStaleOfAccount(state.meta).some(({ age }) => isLate(age)));
  return isStale && (kind === 'live' || kind === 'polling') ? 'stale' : kind;
}
