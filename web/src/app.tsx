// The frame around every page (header, content, footer), and focus handling on page changes.

import { type ComponentType, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Allowance } from './api/access.ts';
import { Header } from './header.tsx';
import { LiveProvider, useAccess, useLive, useSilence } from './live/live-context.tsx';
import { LivePage } from './pages/live/live-page.tsx';
import { PAGES } from './pages.ts';
import { type PageName, useRoute } from './route.ts';
import { Announcer } from './ui/announcer.tsx';
import { LineBanners } from './ui/line-banners.tsx';
import { LoadFault, onDemand } from './ui/on-demand.tsx';
import { Choice } from './ui/panel.tsx';
import { formatTime } from './words/format.ts';
import { setZone, useZone, ZONES } from './words/zone.ts';

const pagesOnDemand = new Map<PageName, ComponentType>();

function choosePage(name: PageName): ComponentType {
  const { load } = PAGES[name];
  if (load === null) return LivePage;
  const known =
    pagesOnDemand.get(name) ?? onDemand(load, { what: 'page', waiting: <p className="loading">Loading…</p> });
  pagesOnDemand.set(name, known);
  return known;
}

export function App() {
  const { page } = useRoute();
  // A new time zone draws everything again.
  useZone();
  const main = useRef<HTMLElement>(null);
  usePageChange(page, main);
  return (
    <LiveProvider>
      {/* biome-ignore lint/a11y/useValidAnchor: a link to the content; the hash is already used for routing */}
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          // The hash is the route, so a script moves the focus instead.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <Header page={page} />
      <LineBanners />
      <Main target={main}>
        <Page name={page} />
      </Main>
      <Footer />
      <Announcer />
    </LiveProvider>
  );
}

/**
 * Greys out advice, prices and feed indicators on every page while the service is silent. `data-old` is the time
 * of the last message in ms.
 */
function Main({ target, children }: { target: React.RefObject<HTMLElement | null>; children: ReactNode }) {
  const heardTs = useSilence() ?? undefined;
  return (
    <main id="main" ref={target} tabIndex={-1} className="main" data-old={heardTs}>
      {children}
    </main>
  );
}

function Page({ name }: { name: PageName }) {
  const Chosen = choosePage(name);
  return (
    <LoadFault key={name} what="page">
      <Chosen />
    </LoadFault>
  );
}

function usePageChange(page: PageName, main: React.RefObject<HTMLElement | null>): void {
  const previous = useRef(page);
  // Before the page's own effects, so that Live can put its count in the title.
  useLayoutEffect(() => {
    document.title = `${PAGES[page].title} · Tallycast`;
    if (previous.current === page) return;
    previous.current = page;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [page, main]);
}

function Footer() {
  const { allowances, tier } = useAccess();
  const { config } = useLive();
  return (
    <footer className="footer">
      <ul className="row">
        <li>
          <a href="/docs">API guide</a>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI</a>
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a>
        </li>
      </ul>
      <Choice label="Time zone" options={ZONES} value={useZone()} onChange={setZone} />
      <dl className="row">
        {allowances.counters ? <AllowanceFact name="Counter requests" of={allowances.counters} /> : null}
        {allowances.other ? <AllowanceFact name={`Requests (${tier})`} of={allowances.other} /> : null}
        {config?.version ? (
          <div>
            <dt>Version</dt>
            <dd className="num">{config.version}</dd>
          </div>
        ) : null}
      </dl>
      <p className="fine">Forecasts and signals are model estimates, not guaranteed profit.</p>
    </footer>
  );
}

function AllowanceFact({ name, of }: { name: string; of: Allowance }) {
  return (
    <div>
      <dt>{name} left this hour</dt>
      <dd className="num">
        {of.remaining} of {of.limit}
        {of.remaining === 0 && of.resetTs ? `, resets at ${formatTime(of.resetTs)}` : ''}
      </dd>
    </div>
  );
}
