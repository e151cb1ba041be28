// The frame around every page (header, content, footer), and focus handling on page changes.

import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { LiveProvider, useSilence } from './live/live-context.tsx';
import { PAGES } from './pages.ts';
import { LivePage } from './pages/live/live-page.tsx';
import { type PageName, useRoute } from './route.ts';
import { Announcer } from './ui/announcer.tsx';
import { Footer } from './ui/footer.tsx';
import { Header } from './ui/header.tsx';
import { LineBanners } from './ui/line-banners.tsx';
import { PageFault } from './ui/page-fault.tsx';
import { useZone } from './words/zone.ts';

const lazyPages = new Map<PageName, ComponentType>();

/** Created once per page; a page that failed to load is dropped and created again. */
function lazyPage(name: PageName): ComponentType {
  const known = lazyPages.get(name) ?? lazy(PAGES[name].load!);
  lazyPages.set(name, known);
  return known;
}

export function App() {
  const { page } = useRoute();
  // A new time zone reformats all times.
  const zone = useZone();
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
        <Page key={zone} name={page} />
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
  if (PAGES[name].load === null) return <LivePage />;
  return (
    <PageFault key={name} onRetry={() => lazyPages.delete(name)}>
      <Suspense fallback={<p className="loading">Loading…</p>}>
        <LazyPage name={name} />
      </Suspense>
    </PageFault>
  );
}

function LazyPage({ name }: { name: PageName }) {
  const Lazy = lazyPage(name);
  return <Lazy />;
}

function usePageChange(page: PageName, main: React.RefObject<HTMLElement | null>): void {
  const previous = useRef(page);
  useEffect(() => {
    document.title = `${PAGES[page].title} · Tallycast`;
    if (previous.current === page) return;
    previous.current = page;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [page, main]);
}
